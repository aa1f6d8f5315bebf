import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programPath } from '../programs.ts';

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A private CA and its certificates for this machine, created for each run, so that no key is in the repository. */
export interface Authority {
  readonly cert: string;
  readonly good: Certificate;
  readonly expired: Certificate;
  /** A certificate that expires after the CA's own. */
  readonly outliving: Certificate;
  /** A certificate for another name. */
  readonly elsewhere: Certificate;
  /** The CA's key as an older root has signed it, which has ended: servers send such certificates for old clients. */
  readonly crossSigned: string;
  /** A self-signed certificate. */
  readonly selfSigned: Certificate;
  remove(): Promise<void>;
}

export async function authority(): Promise<Authority> {
  const folder = await mkdtemp(path.join(tmpdir(), 'certificates-'));
  const at = (name: string): string => path.join(folder, name);
  const openssl = (...args: string[]): void => {
    execFileSync(programPath('openssl'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const request = (name: string, subject: string, ...more: string[]): void =>
    openssl(
      ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', at(`${name}.key`), '-subj', `/CN=${subject}`, ...more],
    );
  const read = async (name: string): Promise<Certificate> => ({
    cert: await readFile(at(`${name}.crt`), 'utf8'),
    key: await readFile(at(`${name}.key`), 'utf8'),
  });
  const selfSigned = (name: string, subject: string, ...more: string[]): void =>
    request(name, subject, '-x509', '-days', '2', '-out', at(`${name}.crt`), ...more);

  /** @param times validity, in the format of openssl */
  async function signed(name: string, altName: string, ...times: string[]): Promise<Certificate> {
    request(name, name, '-out', at(`${name}.csr`));
    await writeFile(at(`${name}.ext`), `subjectAltName=${altName}\n`);
    await writeFile(at('index.txt'), '');
    await writeFile(at('serial'), `${Buffer.from(name).toString('hex')}\n`);
    openssl(
      ...['ca', '-batch', '-config', at('ca.cnf'), '-in', at(`${name}.csr`)],
      ...['-extfile', at(`${name}.ext`), '-out', at(`${name}.crt`), '-notext', ...times],
    );
    return read(name);
  }

  selfSigned('ca', 'A private CA');
  await writeFile(at('ca.cnf'), configuration(folder));
  selfSigned('old', 'An old root');
  openssl(
    ...['req', '-new', '-key', at('ca.key'), '-subj', '/CN=A private CA', '-out', at('cross.csr')],
  );
  await writeFile(at('cross.ext'), 'basicConstraints=critical,CA:TRUE\n');
  openssl(
    ...['x509', '-req', '-in', at('cross.csr'), '-CA', at('old.crt'), '-CAkey', at('old.key')],
    ...['-extfile', at('cross.ext'), '-days', '0', '-CAcreateserial', '-out', at('cross.crt')],
  );
  selfSigned('self', 'self', '-addext', 'subjectAltName=IP:127.0.0.1');
  return {
    cert: await readFile(at('ca.crt'), 'utf8'),
    good: await signed('good', 'IP:127.0.0.1,IP:127.0.0.2', '-days', '1'),
    expired: await signed(
      'expired',
      'IP:127.0.0.1',
      ...['-startdate', '20200101000000Z', '-enddate', '20200201000000Z'],
    ),
    outliving: await signed('outliving', 'IP:127.0.0.1', '-days', '9'),
    elsewhere: await signed('elsewhere', 'DNS:elsewhere.example', '-days', '1'),
    crossSigned: await readFile(at('cross.crt'), 'utf8'),
    selfSigned: await read('self'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The settings of `openssl ca`: only this command can create an expired certificate. */
const configuration = (folder: string): string => `
[ca]
default_ca = private
[private]
certificate = ${folder}/ca.crt
private_key = ${folder}/ca.key
database = ${folder}/index.txt
serial = ${folder}/serial
new_certs_dir = ${folder}
default_md = sha256
policy = any
[any]
commonName = supplied
`;
