/** How long requests and the hashes of passwords may take: longer than any test. What a busy machine is slow at is not late. */
export const patientMs = 240_000;
