/** Why a feed's websocket is closed (docs/rules/feeds.md "Closes"). All close codes are made here. */
export const closeCodes = {
  lifetime_over: 1000,
  shutdown: 1001,
  too_big: 1009,
  overloaded: 1013,
  bad_message: 4400,
  unauthenticated: 4401,
  forbidden: 4403,
  timeout: 4408,
  flood: 4429,
} as const;

export type CloseReason = keyof typeof closeCodes;
