# The monitor and the gate as container images:
#   docker build --target monitor -t public-api-monitor .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges --stop-timeout 30 \
#     -p 9797:9797 -v monitor-state:/state --env-file monitor.env public-api-monitor
#   docker build --target gate -t public-api-gate .
#   docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
#     --user "$(id -u)" -v "$PWD/reports:/reports" --env-file gate.env public-api-gate
# Pass settings as variables. Mount the keys as files, and name them in PUBLIC_API_KEY_FILE and
# PUBLIC_API_SECRET_KEY_FILE. The monitor writes to /state only, the gate to /reports and /tmp. Arguments behind an
# image's name go to its command: `--check` prints what the monitor would run, `EXPIRY` judges one area.
# For one round of the probes:
#   docker run --rm --env-file monitor.env --entrypoint node public-api-monitor monitor/probe/main.ts

# The Node version of package.json, by its digest: Dependabot renews both.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS code
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract contract
COPY probes probes
COPY sandbox sandbox
COPY schemas schemas
COPY config config
COPY tools/setup/loading.js tools/setup/

# The optional packages are another Node and what pacts need.
FROM code AS gate-build
RUN npm ci --omit=dev --omit=optional
COPY gate gate
COPY tests/contract tests/contract
COPY playwright.config.ts ./
RUN mkdir -p /reports node_modules/.cache && chown 10001:10001 /reports node_modules/.cache && chmod -R a+rX .
USER 10001:10001
WORKDIR /
# Fills this user's compile cache, and shows that the gate of this image works.
RUN node --import /app/tools/setup/loading.js /app/gate/main.ts \
  && rm -r /reports/* && chmod -R a+rX /app/node_modules/.cache

# Only the gate needs the peer, which is Playwright.
FROM code AS monitor-build
RUN npm ci --omit=dev --omit=optional --omit=peer
COPY monitor monitor
# With this user's compile cache the monitor starts in half the time and with a quarter less memory.
RUN mkdir -p /state node_modules/.cache && chown 10001:10001 /state node_modules/.cache && chmod -R a+rX .
USER 10001:10001
RUN node --import ./tools/setup/loading.js monitor/main.ts --check \
  && chmod -R a+rX node_modules/.cache

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS gate
LABEL org.opencontainers.image.title="public-api-gate" \
  org.opencontainers.image.description="Contract tests and monitoring for a token-authenticated HTTP API" \
  org.opencontainers.image.version="0.1.0"
# The gate writes to reports/ in the current folder.
WORKDIR /
COPY --from=gate-build /app /app
COPY --from=gate-build --chown=10001:10001 /reports /reports
USER 10001:10001
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--import", "/app/tools/setup/loading.js", "/app/gate/main.ts"]

# The last stage is what a build without --target makes.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS monitor
LABEL org.opencontainers.image.title="public-api-monitor" \
  org.opencontainers.image.description="Contract tests and monitoring for a token-authenticated HTTP API" \
  org.opencontainers.image.version="0.1.0"
ENV MONITOR_HOST=0.0.0.0 MONITOR_STATE=/state/monitor.sqlite
WORKDIR /app
COPY --from=monitor-build /app ./
COPY --from=monitor-build --chown=10001:10001 /state /state
# A number, so that Kubernetes can check that it is not root.
USER 10001:10001
EXPOSE 9797
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "require(process.env.MONITOR_TLS_CERT ? 'https' : 'http').get({ port: (process.env.MONITOR_PORT || 9797), path: '/-/healthy', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "--import", "./tools/setup/loading.js", "--max-semi-space-size=1", \
  "--import", "./monitor/signals.ts", "monitor/main.ts"]
