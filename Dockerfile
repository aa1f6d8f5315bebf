# The monitor as a container image:
#   docker build -t public-api-monitor .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges --stop-timeout 30 \
#     -p 9797:9797 -v monitor-state:/state --env-file monitor.env public-api-monitor
# Pass settings as variables. Mount the keys as files, and name them in PUBLIC_API_KEY_FILE and
# PUBLIC_API_SECRET_KEY_FILE. The monitor writes to /state only. `--check` after the image's name prints what would run.
# For one round:
#   docker run --rm --env-file monitor.env --entrypoint node public-api-monitor monitor/probe/main.ts

# The Node version of package.json, by tag. If you can look up the digest, pin it: node:24.21.0-slim@sha256:…
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Leaves out the optional Node packages, because the base image has Node, and the packages for tests and pacts.
RUN npm ci --omit=dev --omit=optional \
  && npm uninstall --no-save --omit=dev --omit=optional \
    @playwright/test @pact-foundation/pact @pact-foundation/pact-cli
COPY contract contract
COPY monitor monitor
COPY ops/runbook.md ops/runbook.md
COPY probes probes
COPY sandbox sandbox
COPY schemas schemas
COPY settings settings
COPY settings.ts ./
COPY tools/setup/loading.js tools/setup/
# With this user's compile cache the monitor starts in half the time and with a quarter less memory.
RUN mkdir -p /state node_modules/.cache && chown 10001:10001 /state node_modules/.cache && chmod -R a+rX .
USER 10001:10001
RUN node --import ./tools/setup/loading.js monitor/main.ts --check \
  && chmod -R a+rX node_modules/.cache

FROM node:24.21.0-slim
LABEL org.opencontainers.image.title="public-api-monitor" \
  org.opencontainers.image.description="Contract tests and monitoring for a token-authenticated HTTP API" \
  org.opencontainers.image.version="0.1.0"
ENV MONITOR_HOST=0.0.0.0 MONITOR_STATE=/state/monitor.sqlite
WORKDIR /app
COPY --from=build /app ./
COPY --from=build --chown=10001:10001 /state /state
VOLUME /state
# A number, so that Kubernetes can check that it is not root.
USER 10001:10001
EXPOSE 9797
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "require(process.env.MONITOR_TLS_CERT ? 'https' : 'http').get({ port: (process.env.MONITOR_PORT || 9797), path: '/-/healthy', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "--import", "./tools/setup/loading.js", "--max-semi-space-size=1", \
  "--import", "./monitor/signals.ts", "monitor/main.ts"]
