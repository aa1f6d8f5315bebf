/** How a run of a probe ended. Only `failed` counts against the provider; `defect` is a fault of ours. */
export type Outcome = 'passed' | 'failed' | 'unreachable' | 'defect';
