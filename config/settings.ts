import { existsSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'dotenv';
import type { sourceOptions } from './command-line.ts';
import { holdsKey } from './endpoints.ts';
import { SettingsError } from './fields.ts';
import { readText } from './files.ts';
import { type Environment, readAll, reader } from './table.ts';
import { isSetting, unknownNames, wrongCombinations } from './together.ts';

/** More than any answer of the contract needs. */
export const maxBodyBytes = 1024 * 1024;

export type Settings = ReturnType<typeof readSettings>;

export type PactSettings = Settings['pacts'];

/**
 * The settings of this process: its environment, and the `.env` file for what is not set there.
 * @param file relative to the current folder; it need not exist
 * @throws SettingsError with a line for each mistake
 */
export function loadSettings({ file = envFile(), env = process.env } = {}): Settings {
  refuseSlips(file);
  return readSettings(withUsualFiles(loadEnvironment({ file, env })));
}

const envFile = (): string => process.env.PUBLIC_API_ENV_FILE || '.env';

/** Other names for files that are read if they are in the current folder. */
const misnamed = { 'targets.yml': 'targets.yaml', '.env.local': '.env', '.env.txt': '.env' };

/** The same with the files of targets and known deviations that lie in the current folder, unless others are named. */
function withUsualFiles(env: Environment): Environment {
  const { PUBLIC_API_BASE_URL: url, PUBLIC_API_TARGETS: named, PUBLIC_API_KNOWN: known } = env;
  const [here] = named ? [] : ['targets.yaml'].filter(existsSync);
  const targets = named || here;
  const other = Object.entries(misnamed).find(([file]) => !url && !targets && existsSync(file));
  refuse(
    here && url && `${here} is in this folder, and PUBLIC_API_BASE_URL is set: keep one of them`,
    other && `${other[0]} is not read: rename it to ${other[1]}`,
  );
  const beside = [knownBeside(targets)].find(existsSync);
  return { ...env, PUBLIC_API_TARGETS: targets, PUBLIC_API_KNOWN: known || beside };
}

/** The usual file of known deviations. */
const knownBeside = (targets = ''): string => path.join(path.dirname(targets), 'known.yaml');

/** The file of known deviations, which may not exist yet. */
export function knownFile(): string {
  const { PUBLIC_API_KNOWN, PUBLIC_API_TARGETS } = loadEnvironment();
  return PUBLIC_API_KNOWN || knownBeside(PUBLIC_API_TARGETS);
}

/** The folder of all reports. It is also needed where other settings are wrong. */
export const reportsFolder = (): string => loadEnvironment().PUBLIC_API_REPORTS || 'reports';

/** Replaces settings for one run, and the processes that it starts: `--known FILE` sets PUBLIC_API_KNOWN. */
export function useOptions(options: Partial<Record<keyof typeof sourceOptions, string>>): void {
  const { targets, target, known, reports, env } = options;
  const texts = { TARGETS: targets, TARGET: target, KNOWN: known, REPORTS: reports, ENV_FILE: env };
  for (const [name, text] of Object.entries(texts))
    if (text !== undefined) process.env[`PUBLIC_API_${name}`] = text;
}

/** What `loadSettings` reads: a file of targets names the variables of its credentials. */
export function loadEnvironment({ file = envFile(), env = process.env } = {}): Environment {
  return { ...parse(readEnvText(file)), ...env };
}

/** A missing file counts as empty, unless it is named: its settings would be missing. */
const readEnvText = (file: string): string =>
  existsSync(file) || file === process.env.PUBLIC_API_ENV_FILE ? readText(file) : '';

/** @throws SettingsError with a line for each assignment that dotenv ignores, or cuts: it often causes other mistakes */
function refuseSlips(file: string): void {
  const text = readEnvText(file);
  const values: Environment = parse(text);
  const assignments = text.matchAll(/^\s*(?:export\s+)?([\w.-]+)(.*)$/gm);
  const slips = [...assignments].map(([, name = '', rest = '']) => {
    const slip = isSetting(name) && findSlip(rest, values[name]);
    return slip && `${name} ${slip} (${file})`;
  });
  refuse(...slips);
}

/** The mistake in an assignment, of which dotenv reads a value. @param rest of the line, after the name */
function findSlip(rest: string, value: string | undefined): string | undefined {
  if (value === undefined)
    return 'has no "=" after it, or is within the quotes of a value above it: close them';
  const text = rest.replace(/^\s*=\s*/, '').trim();
  if (text === value && /^['"`]/.test(text)) return 'begins with a quote that is not closed';
  const isCut = value !== '' && text.startsWith(`${value}#`);
  return isCut ? 'holds "#" outside quotes: quote the value as .env.example shows' : undefined;
}

/** @throws SettingsError if there is a mistake */
function refuse(...mistakes: readonly (string | false | undefined)[]): void {
  const lines = mistakes.filter(Boolean);
  if (lines.length > 0) throw new SettingsError(lines.join('\n'));
}

/**
 * The settings of the pact commands, from the same places. A CI passes an empty text for a secret that is not set, but
 * an empty address would select the sandbox or no broker.
 * @throws SettingsError with a line for each mistake
 */
export function loadPactSettings({ file = envFile(), env = process.env } = {}): PactSettings {
  refuseSlips(file);
  const all = loadEnvironment({ file, env });
  refuse(
    ...['PUBLIC_API_BASE_URL', 'PACT_BROKER_BASE_URL'].map(
      (name) => all[name] === '' && `${name} is an empty text: set it to the address, or unset it`,
    ),
    all.PACT_BROKER_URL && 'PACT_BROKER_URL is not a setting: set PACT_BROKER_BASE_URL',
  );
  return readSettings(all, true).pacts;
}

/**
 * The settings in an environment. Reads nothing else except the files that it names.
 * @param ofPacts whether those of the pact commands are needed: a mistake in them stops no other command
 * @throws SettingsError with a line for each mistake
 */
export function readSettings(env: Environment, ofPacts = false) {
  const { get, texts, mistakes } = reader(env);
  const settings = readAll(get);
  const { provider } = settings;
  const lines = [...mistakes, ...wrongCombinations(texts, env), ...unknownNames(env)];
  refuse(
    ...lines.filter((line) => /^(PACT|GIT)_/.test(line) === ofPacts),
    provider?.endpoints.some((endpoint) => holdsKey(endpoint, provider.account)) &&
      'PUBLIC_API_ENDPOINTS holds a key of the account, and would be shown: omit it',
  );
  return settings;
}
