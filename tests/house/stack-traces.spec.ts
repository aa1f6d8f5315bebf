import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';

test('a stack trace has the lines of this project, and no frames of Playwright or Node', () => {
  const { stack = '' } = new Error('here');
  const [message, ...frames] = stack.split('\n');
  const lines = readFileSync(import.meta.filename, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes("new Error('here')")) + 1;
  expect(message).toBe('Error: here');
  expect(frames).toEqual([expect.stringContaining(`${import.meta.filename}:${line}:`)]);
});
