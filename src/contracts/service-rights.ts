/** What a service user may be given leave for, beside what every service may (docs/rules/http.md "Users"). */
export const serviceRights = ['cors'] as const;
export type ServiceRight = (typeof serviceRights)[number];
