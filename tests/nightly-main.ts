/** `npm run test:nightly` is `npm test` with all that it leaves out. `NIGHT=2026-05-20` repeats the months of a day. */
process.env.NIGHT ||= new Date().toISOString().slice(0, 10);
await import('./main.ts');
