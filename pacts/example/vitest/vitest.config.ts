import { defineConfig } from 'vitest/config';

// Files that run at the same time would write the pact over each other.
export default defineConfig({ test: { include: ['**/*.pact.test.ts'], fileParallelism: false } });
