import { openBroker, pathOf } from './broker.ts';
import { argumentsOf, type Command, named, needed } from './command.ts';
import { environmentOf, recordedIn } from './environment.ts';
import { FlowError } from './flow-error.ts';

export const recordDeployment: Command = {
  help: `npm run pact:record-deployment -- --pacticipant NAME --environment NAME

Records at the broker that this version is now deployed there, in place of the earlier one. Whatever is not recorded,
npm run pact:can-i-deploy does not see.

  --pacticipant NAME    public-api, or a consumer
  --version V           unless git or the CI provides it
  --environment NAME

Exit codes: 0 recorded · 2 not recorded, and why · 3 a defect of this suite
`,
  async run(run) {
    const { values } = argumentsOf('record-deployment', {
      args: [...run.args],
      options: {
        pacticipant: { type: 'string' },
        version: { type: 'string' },
        environment: { type: 'string' },
      },
    });
    const pacticipant = needed('--pacticipant', values.pacticipant);
    const to = needed('--environment', values.environment);
    const version = run.checkout(named(values)).version();
    const broker = await openBroker(run.settings.broker);
    const environment = await environmentOf(broker, to);
    const versioned = pathOf`/pacticipants/${pacticipant}/versions/${version}`;
    const place = `${versioned}/deployed-versions${pathOf`/environment/${environment.uuid}`}`;
    const reply = await broker.ask('POST', place, {});
    if (!reply.ok)
      throw new FlowError(
        reply.status === 404
          ? `the Pact Broker has no version ${version} of ${pacticipant}: publish its pacts or its results first`
          : `the Pact Broker does not record it: ${reply.why}`,
      );
    const recorded = await recordedIn(broker, environment);
    if (!recorded.some((one) => one.pacticipant === pacticipant && one.version === version))
      throw new FlowError('the Pact Broker does not have the deployment that it has just taken');
    run.say(`recorded: ${pacticipant} ${version} is deployed in ${to}`);
    return 0;
  },
};
