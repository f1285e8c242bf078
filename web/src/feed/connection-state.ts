/** `waiting`: the socket is gone and the next try is planned. */
export type ConnectionState = 'connecting' | 'live' | 'waiting';
