import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { readTargetsFile } from '../../config/targets.ts';
import { probes } from '../../probes/index.ts';

const pem = { type: 'pkcs8', format: 'pem' } as const;

/** The reference configuration of a targets file. */
export const example = new URL('../../targets.example.yaml', import.meta.url);

/** Reads it unchanged, with all files and variables that it names. @param folder where those files are created */
export function exampleConfig(folder: string) {
  mkdirSync(path.join(folder, 'secrets'), { recursive: true });
  cpSync(example, path.join(folder, 'monitor.yaml'));
  for (const [name, text] of [
    ['staging-api-key', '<API_KEY>\n'],
    ['staging-secret-key', '<SECRET_KEY>\n'],
    ['staging-ca.pem', rootCertificates[0] ?? ''],
    ['staging-client.pem', rootCertificates[0] ?? ''],
    ['staging-client-key.pem', generateKeyPairSync('ed25519').privateKey.export(pem)],
    ['alertmanager-ca.pem', rootCertificates[1] ?? ''],
    ['webhook-token', '<TOKEN>\n'],
  ] as const)
    writeFileSync(path.join(folder, 'secrets', name), text);
  return readTargetsFile(path.join(folder, 'monitor.yaml'), {
    env: {
      PRODUCTION_API_KEY: '<API_KEY>',
      PRODUCTION_SECRET_KEY: '<SECRET_KEY>',
      SECOND_API_KEY: '<SECOND_KEY>',
      SECOND_SECRET_KEY: '<SECOND_SECRET>',
      ALERTMANAGER_TOKEN: '<TOKEN>',
    },
    probes,
  });
}
