import { argumentsOf, type Command, needed } from './command.ts';
import { environmentOf, type Recorded, recordedIn } from './environment.ts';
import { FlowError } from './flow-error.ts';
import { checkVersion } from './pacticipant.ts';

/** A command that records something in the broker, and the check that reads it back. */
interface Recording {
  /** The command's name here; `cli` is its name in Pact's own client. */
  readonly name: string;
  readonly cli: string;
  readonly help: string;
  /** Whether the command takes a version. Undeploying applies to the version in the environment. */
  readonly ofVersion: boolean;
  readonly done: string;
  /** Whether the environment shows the recorded change. */
  readonly isThere: (recorded: readonly Recorded[], wanted: Wanted) => boolean;
}

interface Wanted {
  readonly pacticipant: string;
  readonly version: string;
  readonly instance?: string;
}

const isOf =
  (as: Recorded['as'], { pacticipant, instance }: Wanted) =>
  (one: Recorded): boolean =>
    one.as === as && one.pacticipant === pacticipant && one.instance === instance;

export const recordDeployment = recording({
  name: 'record-deployment',
  cli: 'record-deployment',
  help: `Records at the broker that this version is now deployed there, in place of the earlier one.
npm run pact:can-i-deploy sees only what is recorded.`,
  ofVersion: true,
  done: 'is deployed in',
  isThere: (recorded, wanted) =>
    recorded.filter(isOf('deployed', wanted)).some(({ version }) => version === wanted.version),
});

export const recordRelease = recording({
  name: 'record-release',
  cli: 'record-release',
  help: `Records at the broker that this version is released there, beside earlier ones: for libraries and apps that users
install. npm run pact:can-i-deploy sees all of them.`,
  ofVersion: true,
  done: 'is released in',
  isThere: (recorded, wanted) =>
    recorded.filter(isOf('released', wanted)).some(({ version }) => version === wanted.version),
});

export const undeploy = recording({
  name: 'undeploy',
  cli: 'record-undeployment',
  help: `Records at the broker that this application is no longer deployed there at all. A newer version in its place needs
npm run pact:record-deployment only.`,
  ofVersion: false,
  done: 'is no longer deployed in',
  isThere: (recorded, wanted) => !recorded.some(isOf('deployed', wanted)),
});

function helpOf(name: string, help: string, ofVersion: boolean): string {
  return `npm run pact:${name} -- ${ofVersion ? '[--pacticipant NAME]' : '--pacticipant NAME'} --environment NAME

${help}

  --pacticipant NAME            ${ofVersion ? 'a consumer; the provider (PACT_PROVIDER_NAME) unless named' : 'the provider, or a consumer'}
${ofVersion ? '  --version V                   unless git or the CI provides it\n' : ''}\
  --environment NAME
  --application-instance NAME   where several of it run in one environment

Exit codes: 0 recorded · 2 not recorded, and why · 3 a defect of this suite
`;
}

function recording({ name, cli, help, ofVersion, done, isThere }: Recording): Command {
  return {
    help: helpOf(name, help, ofVersion),
    async run(run) {
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
      if (!isThere(await recordedIn(broker, environment), { pacticipant, version, instance }))
        throw new FlowError('the Pact Broker does not have what it has just recorded');
      run.print(`recorded: ${[pacticipant, version].join(' ').trim()} ${done} ${to}`);
      return 0;
    },
  };
}
