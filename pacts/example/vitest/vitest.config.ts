import { defineConfig } from 'vitest/config';

// Test files that run at the same time would overwrite each other's pact.
export default defineConfig({ test: { include: ['**/*.pact.test.ts'], fileParallelism: false } });
