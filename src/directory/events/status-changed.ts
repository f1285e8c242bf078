import type { FeedEventMaker } from './feed-event.ts';

/** InstanceStatusEvent. */
export const statusChangedEvent: FeedEventMaker<'StatusChanged'> = ({
  instance,
  counter,
  status,
  reason,
}) => ({
  type: 'InstanceStatusEvent',
  instance,
  counter,
  audience: { kind: 'everyone', named: [] },
  content: (known) => ({
    owner: known.description.owner,
    data: { instance_id: instance, status, reason },
  }),
  publicData: () => ({ instance_id: instance, status }),
});
