/** What the owner of a lane tells `storage` about it. */
export interface LaneNeed {
  readonly lane: number;
  /** The first message that the owner may need of the streams; infinite: none that is archived. */
  readonly keepFrom: number;
  /** A stream of the lane has little room left. */
  readonly isPressed: boolean;
}

/** As JSON on core NATS. */
export function encodeLaneNeed({ lane, keepFrom, isPressed }: LaneNeed): Uint8Array {
  const keep_from = Number.isFinite(keepFrom) ? keepFrom : null;
  return Buffer.from(JSON.stringify({ lane, keep_from, is_pressed: isPressed }), 'utf8');
}

/** null: it does not read, or names no lane of the system. */
export function decodeLaneNeed(bytes: Uint8Array, lanes: number): LaneNeed | null {
  let read: { readonly lane?: unknown; readonly keep_from?: unknown; readonly is_pressed?: unknown } | null;
  try {
    read = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
  const { lane, keep_from: keepFrom, is_pressed: isPressed } = read ?? {};
  const isLane = Number.isInteger(lane) && (lane as number) >= 0 && (lane as number) < lanes;
  const isPlace = keepFrom === null || (Number.isSafeInteger(keepFrom) && (keepFrom as number) >= 1);
  if (!isLane || !isPlace || typeof isPressed !== 'boolean') return null;
  return { lane: lane as number, keepFrom: (keepFrom as number) ?? Number.POSITIVE_INFINITY, isPressed };
}
