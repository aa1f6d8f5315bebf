import tls from 'node:tls';

/** Certificates may be replaced now and then; the contexts of this many CA files are cached. */
const most = 20;

const contexts = new Map<string | undefined, tls.SecureContext>();

/**
 * The part that TLS connections share. Reading certificates for each connection would take a seventh of the time
 * of a monitor's request.
 * @param ca certificates (PEM) trusted instead of the system's
 * @throws OpenSSL's error about certificates
 */
export function secureContextFor(ca: string | undefined): tls.SecureContext {
  const known = contexts.get(ca);
  if (known !== undefined) return known;
  const [oldest] = contexts.keys();
  if (contexts.size >= most) contexts.delete(oldest);
  const context = tls.createSecureContext({ ca });
  contexts.set(ca, context);
  return context;
}
