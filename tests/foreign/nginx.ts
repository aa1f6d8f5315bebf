import type { Authority } from '../client/certificates.ts';
import { type Daemon, startDaemon } from '../operations/daemon.ts';

/**
 * Starts nginx as most providers have it: it terminates TLS, and forwards each request over a new connection.
 * @param provider its address, over HTTP
 */
export const startNginx = (provider: URL, { good }: Authority): Promise<Daemon> =>
  startDaemon({
    program: 'nginx',
    files: { crt: good.cert, key: good.key, conf: (at) => configOf(at, provider) },
    args: (_at, folder) => ['-p', folder, '-c', 'conf', '-e', 'stderr'],
    readyWith: 'using the "epoll" event method',
  });

/** All paths are below the folder that `-p` names. */
const configOf = (at: string, provider: URL): string => `
daemon off; master_process off; pid pid; error_log stderr notice; events {}
http {
  access_log off; client_body_temp_path body; proxy_temp_path proxy;
  fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  server {
    listen ${at} ssl; ssl_certificate crt; ssl_certificate_key key;
    location / { proxy_pass ${provider.origin}; }
  }
}
`;
