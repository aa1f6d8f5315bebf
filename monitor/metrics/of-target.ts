import { leftOpen, type MustId, mustHold } from '../../contract/clauses.ts';
import { phaseNames } from '../../contract/http/answer.ts';
import { payloadProbeName } from '../../contract/probe.ts';
import { outcomes } from '../../contract/round/attempt.ts';
import { canaryPhases, canaryStates, canaryVerdicts } from '../canary/verdict.ts';
import { clausesWith, type EndpointStatus, type Status } from '../status/status.ts';
import type { TargetView } from '../status/view.ts';
import { defineMetrics, type Sample } from './metric.ts';

export const lastRoundMetrics = defineMetrics<TargetView>({
  'probe_success{target,endpoint}': {
    help: 'Whether the last request with a valid token was admitted',
    read: (view) => controls(view, ({ outcome }) => outcome === 'passed'),
  },
  'probe_duration_seconds{target,endpoint}': {
    help: 'Duration of the last run with a valid token',
    read: (view) => controls(view, ({ durationSeconds }) => durationSeconds),
  },
  'probe_http_status_code{target,endpoint}': {
    help: 'Status code of the last response to a valid token, 0 without a response',
    read: (view) => controls(view, ({ status }) => status),
  },
  'probe_http_duration_seconds{target,endpoint,phase}': {
    help: 'Duration of each phase of the last request with a valid token',
    read: (view) =>
      phaseNames.flatMap((phase) => controls(view, ({ phases }) => phases?.[phase] ?? 0, phase)),
  },
  'probe_http_ssl{target}': {
    help: 'Whether the last request with a valid token used TLS',
    read: ({ endpoints, status }) => [[status.endpoints[endpoints[0]?.name ?? '']?.last?.isTls]],
  },
  'probe_ssl_earliest_cert_expiry{target}': {
    help: 'Unix time at which the first of the certificates that the provider sends expires',
    read: ({ status }) => [[seconds(status.certificate?.earliestExpiry)]],
  },
  'probe_ssl_last_chain_expiry_timestamp_seconds{target}': {
    help: 'Unix time at which the first certificate of the verified chain expires',
    read: ({ status }) => [[seconds(status.certificate?.chainExpiry)]],
  },
  'contract_clause_violated{target,clause}': {
    help: 'Whether a clause is violated; only of clauses that the monitor checks',
    read: ({ status }) =>
      checkedClauses(status).map((id) => [status.clauses[id].verdict === 'violated', id]),
  },
  'contract_clause_known{target,clause}': {
    help: 'A clause that is violated only in ways that are known',
    read: ({ status }) => clausesWith(status, 'known').map(({ id }) => [1, id]),
  },
  'contract_clause_verified{target,clause}': {
    help: 'Whether a clause has a verdict: it holds, or it is violated',
    read: ({ status }) =>
      mustHold.map(({ id }) => [status.clauses[id].verdict !== 'unverified', id]),
  },
  'contract_monitor_target_unreachable{target}': {
    help: 'Whether no endpoint gives an answer that can be judged',
    read: ({ status }) => [[status.silence?.isEverywhere ?? false]],
  },
  'contract_schema_mismatch{target,endpoint}': {
    help: 'Whether the last payload of an endpoint differs from the schema in the targets file',
    read: ({ endpoints, status: { places } }) =>
      endpoints.flatMap(({ name, hasSchema }) => {
        const result = places[`${payloadProbeName} ${name}`]?.result;
        return hasSchema && result ? [[result.outcome === 'failed', name]] : [];
      }),
  },
});

/** What was counted since the target was first watched, what canaries show, and what is configured. */
export const targetMetrics = defineMetrics<TargetView>({
  'contract_findings_total{target,clause}': {
    help: 'Runs that found a clause violated; only of clauses that the monitor checks',
    read: ({ status }) =>
      checkedClauses(status).map((id) => [status.counters.findings[id] ?? 0, id]),
  },
  'contract_observation_changes_total{target,clause}': {
    help: 'Changes of observed facts that the contract does not specify',
    read: ({ status: { counters } }) =>
      leftOpen.map(({ id }) => [counters.observationChanges[id] ?? 0, id]),
  },
  'contract_token_lifetime_lower_bound_seconds{target}': {
    help: 'Lower bound of the token lifetime: a token was admitted at this age or a greater one',
    read: ({ token }) => [[token?.atLeastSeconds]],
  },
  'contract_token_lifetime_upper_bound_seconds{target}': {
    help: 'Upper bound of the token lifetime: a token was refused at this age or a smaller one',
    read: ({ token }) => [[token?.atMostSeconds]],
  },
  'contract_token_canaries{target,state}': {
    help: 'Canaries by state',
    read: ({ token }) => canaryStates.map((state) => [token?.canaries[state], state]),
  },
  'contract_token_canary_checks_total{target,phase,verdict}': {
    help: 'Checks of canaries, before and after their 24 hours, by result',
    read: ({ token, status: { counters } }) =>
      token === undefined
        ? []
        : possibleChecks.map((check) => [counters.canaryChecks[check] ?? 0, ...check.split(' ')]),
  },
  'contract_provider_clock_offset_seconds{target}': {
    help: "Seconds by which the provider's clock is ahead of the monitor's",
    read: ({ status }) => [[status.clockOffsetSeconds]],
  },
  'contract_monitor_runs_total{target,outcome}': {
    help: 'Runs of probes by outcome; those that fail in maintenance do not count',
    read: ({ status }) => outcomes.map((outcome) => [status.counters.runs[outcome], outcome]),
  },
  'contract_monitor_unreachable_total{target,reason}': {
    help: 'Runs without an answer that can be judged, by the reasons that occurred',
    read: ({ status }) =>
      Object.entries(status.counters.unreachable).map(([reason, count]) => [count, reason]),
  },
  'contract_monitor_last_round_timestamp_seconds{target}': {
    help: 'Unix time at which the last round began',
    read: ({ status }) => [[seconds(status.lastRoundAt)]],
  },
  'contract_monitor_request_duration_seconds{target}': {
    type: 'histogram',
    help: 'Answered requests by the time from the open connection to the first byte of the answer',
    read: ({ status }) => [[status.counters.requests]],
  },
  'contract_monitor_target_in_maintenance{target}': {
    help: 'Whether there is maintenance, in which findings change no verdict',
    read: ({ maintenance }) => [[maintenance !== undefined]],
  },
  'contract_monitor_target_objective_ratio{target}': {
    help: 'Share of runs that must get an answer, as configured',
    read: ({ objectiveRatio }) => [[objectiveRatio]],
  },
});

/** A token can be refused too early only before its 24 hours, and admitted too late only after them. */
const possibleChecks = canaryPhases
  .flatMap((phase) => canaryVerdicts.map((verdict) => `${phase} ${verdict}` as const))
  .filter((check) => check !== 'before late_accept' && check !== 'after early_reject');

const seconds = (ms: number | undefined): number | undefined => ms && ms / 1000;

const checkedClauses = ({ clauses }: Status): MustId[] =>
  mustHold.flatMap(({ id }) => (clauses[id].cause === 'unconfigured' ? [] : id));

/** A value of the last request with a valid token to each endpoint. @param labels after the endpoint */
const controls = (
  { endpoints, status }: TargetView,
  read: (last: NonNullable<EndpointStatus['last']>) => number | boolean,
  ...labels: readonly string[]
): readonly Sample[] =>
  endpoints.map(({ name }) => {
    const last = status.endpoints[name]?.last;
    return [last && read(last), name, ...labels];
  });
