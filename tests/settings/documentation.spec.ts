import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'dotenv';
import { loadSettings, readSettings } from '../../config/settings.ts';
import { settings } from '../../config/table.ts';

const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');

test('.env.example shows every setting, with its default if it has one', () => {
  const shown = parse(example.replaceAll(/^#(?=[A-Z])/gm, ''));
  expect(Object.keys(shown)).toEqual(settings.map(({ name }) => name));
  for (const { name, unset } of settings)
    if (unset !== undefined) expect(shown[name], name).toBe(unset);
});

test('.env.example sets nothing as it is', () => {
  expect(loadSettings({ file: '.env.example', env: {} })).toEqual(readSettings({}));
});

test('.env.example without its # is accepted, with one of two alternatives at a time', () => {
  const file = test.info().outputPath('.env');
  const text = example.replaceAll(/^#(?=[A-Z])/gm, '');
  writeFileSync(
    file,
    text.replaceAll(
      /^(?=\w*(_KEY_FILE|CA_FILE|CERT_FILE|CLOCK_FILE|TOKEN_FILE|STATE_FILE|TLS_CERT|TLS_KEY|PUBLIC_API_TARGETS?|MONITOR_SHARD|PUBLIC_API_KNOWN)=)/gm,
      '#',
    ),
  );
  const load = () => loadSettings({ file, env: {} });
  expect(load, 'show accepted values in .env.example').not.toThrow();
  const { provider } = load();
  expect(provider?.clock).toMatchObject({ url: new URL('https://api.example.com/test/clock') });
});

test('.env.example holds placeholders instead of credentials', () => {
  const shown = parse(example.replaceAll(/^#(?=[A-Z])/gm, ''));
  expect(shown).toMatchObject({
    PUBLIC_API_KEY: '<API_KEY>',
    PUBLIC_API_SECRET_KEY: '<SECRET_KEY>',
    MONITOR_AUTH_TOKEN: '<MONITOR_AUTH_TOKEN>',
  });
});
