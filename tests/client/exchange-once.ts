import { exchange } from '../../contract/http/exchange.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';

/** Sends one request and prints the result. It is a program, because Node reads some variables only at its start. */
const [address = ''] = process.argv.slice(2);
const connection = { origin: new URL(address), timeoutMs: 10_000, maxBodyBytes: 1_000_000 };
try {
  const { status } = await exchange(connection, { method: 'GET', path: '/', headers: [] }, 'GET /');
  process.stdout.write(String(status));
} catch (error) {
  process.stdout.write(error instanceof UnreachableError ? error.reason : String(error));
}
