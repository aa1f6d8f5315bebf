import type { Environment } from './process.ts';

/** The part of the environment that npm needs to reach its registry. */
export const npmEnvironment: Environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined &&
    /^(HOME|NODE_EXTRA_CA_CERTS|\w+_proxy|npm_config_(registry|cache|cafile|userconfig|globalconfig))$/i.test(
      name,
    )
      ? [[name, value]]
      : [],
  ),
);
