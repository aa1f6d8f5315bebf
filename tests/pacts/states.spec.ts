import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { type ProviderState, states } from '../../pacts/states.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test("README's table of provider states matches the code", () => {
  const [, table = ''] = /\n\| provider state .*\n\|[-|]+\n((?:\|.*\n)+)/.exec(readme) ?? [];
  expect(table.trim().split('\n')).toEqual(
    Object.entries<ProviderState>(states).map(([name, { means, gives, parameters, needs }]) => {
      const message = Object.keys(parameters).filter((one) => !name.includes(`{${one}}`));
      const parts = [`\`${name}\``, ...message.map((one) => `{${one}}`)].join(' ');
      const clock = needs === undefined ? '' : ' Needs the clock.';
      return `| ${parts} | ${gives.map((one) => `\`${one}\``).join(', ')} | ${means}${clock} |`;
    }),
  );
});
