import { argumentsOf, type Command, needed, type Run } from './command.ts';
import { environmentOf, type Recorded, recordedIn } from './environment.ts';
import { FlowError } from './flow-error.ts';
import { checkVersion } from './pacticipant.ts';

/** A command that records something in the broker, and what must be there afterwards. */
interface Recording {
  readonly name: string;
  /** Its name in Pact's own client. */
  readonly cli: string;
  readonly help: string;
  /** Whether the command takes a version. Undeploying applies to the version in the environment. */
  readonly ofVersion: boolean;
  readonly done: string;
  readonly as: Recorded['as'];
}

export const recordDeployment = recording({
  name: 'record-deployment',
  cli: 'record-deployment',
  help: `Records at the broker that this version is now deployed there, in place of the earlier one.
npm run pact:can-i-deploy sees only what is recorded.`,
  ofVersion: true,
  done: 'is deployed in',
  as: 'deployed',
});

export const recordRelease = recording({
  name: 'record-release',
  cli: 'record-release',
  help: `Records at the broker that this version is released there, beside earlier ones: for libraries and apps that users
install. npm run pact:can-i-deploy sees all of them.`,
  ofVersion: true,
  done: 'is released in',
  as: 'released',
});

export const undeploy = recording({
  name: 'undeploy',
  cli: 'record-undeployment',
  help: `Records at the broker that this application is no longer deployed there at all. A newer version in its place needs
npm run pact:record-deployment only.`,
  ofVersion: false,
  done: 'is no longer deployed in',
  as: 'deployed',
});

function helpOf({ name, help, ofVersion }: Recording): string {
  return `npm run pact:${name} -- ${ofVersion ? '[--pacticipant NAME]' : '--pacticipant NAME'} --environment NAME

${help}

  --pacticipant NAME            ${ofVersion ? 'a consumer; the provider (PACT_PROVIDER_NAME) unless named' : 'the provider, or a consumer'}
${ofVersion ? '  --version V                   unless git or the CI provides it\n' : ''}\
  --environment NAME
  --application-instance NAME   where several of it run in one environment

Exit codes: 0 recorded · 2 not recorded, and why · 3 a defect of this suite
`;
}

function recording(one: Recording): Command {
  return { help: helpOf(one), run: (run) => record(one, run) };
}

async function record({ name, cli, ofVersion, done, as }: Recording, run: Run): Promise<0> {
  const { values } = argumentsOf(name, {
    args: [...run.args],
    options: {
      pacticipant: { type: 'string' },
      version: { type: 'string' },
      environment: { type: 'string' },
      'application-instance': { type: 'string' },
    },
  });
  // Undeploying by default would remove the provider where a script forgot a consumer's name.
  const byDefault = ofVersion ? run.settings.providerName : undefined;
  const pacticipant = needed('--pacticipant', values.pacticipant ?? byDefault);
  const to = needed('--environment', values.environment);
  const version = ofVersion ? run.checkout(values).version() : '';
  const instance = values['application-instance'];
  const broker = await run.broker();
  const environment = await environmentOf(broker, to);
  if (ofVersion) await checkVersion(broker, pacticipant, version);
  const { ok, why } = await broker.pact(cli, [
    ...['--pacticipant', pacticipant, '--environment', to],
    ...(ofVersion ? ['--version', version] : []),
    ...(instance === undefined ? [] : ['--application-instance', instance]),
  ]);
  if (!ok) throw new FlowError(`the Pact Broker does not record it: ${why}`);
  const there = (await recordedIn(broker, environment)).filter(
    (one) => one.as === as && one.pacticipant === pacticipant && one.instance === instance,
  );
  if (ofVersion ? !there.some((one) => one.version === version) : there.length > 0)
    throw new FlowError('the Pact Broker does not have what it has just recorded');
  run.print(`recorded: ${[pacticipant, version].join(' ').trim()} ${done} ${to}`);
  return 0;
}
