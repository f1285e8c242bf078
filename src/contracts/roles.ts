/** Roles of administrators (docs/rules/http.md "Callers"). */
export const roles = ['viewer', 'support', 'config', 'finance', 'security', 'auditor'] as const;
export type Role = (typeof roles)[number];
