import type { FleetStatus } from '../../monitor/fleet/fleet-status.ts';
import type { FleetPageStatus } from '../../monitor/web/page/fleet.ts';
import { states } from '../monitor/page-states.ts';
import { now } from '../monitor/statuses.ts';

const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);

const ran = { probe: 'a-token-opens-the-endpoint', success: true } as const;

const members: FleetStatus['members'] = [
  {
    authority: 'monitor-1:9797',
    version: '1.2.3',
    startedAt: ago(86_400),
    isThis: true,
    targets: 50,
  },
  {
    authority: 'monitor-2:9797',
    version: '1.2.4',
    startedAt: ago(3_600),
    isThis: false,
    targets: 2,
  },
  { authority: 'monitor-10:9797', version: '1.2.4', startedAt: ago(60), isThis: false, targets: 0 },
];

const own = states.fiftyWell.targets.map(({ name }) => ({
  name,
  authority: 'monitor-1:9797',
  ranAt: ago(3),
  ...ran,
  state: 'holds' as const,
}));

/** Fifty targets here and three elsewhere: one of these is broken, and one has no holder. */
export const fleet: FleetPageStatus = {
  ...states.fiftyWell,
  fleet: {
    members,
    targets: [
      ...own,
      { name: 'far-1', authority: 'monitor-2:9797', state: 'holds', ranAt: ago(5), ...ran },
      {
        name: 'far-2',
        authority: 'monitor-2:9797',
        state: 'broken',
        ranAt: ago(2),
        ...ran,
        success: false,
      },
      { name: 'free<b>', state: 'holds' },
    ],
  },
};

/** The same fleet without its database. */
export const withoutDatabase: FleetPageStatus = {
  ...fleet,
  targets: [],
  fleet: { members, targets: [], problem: 'the database cannot be used: ECONNREFUSED' },
};
