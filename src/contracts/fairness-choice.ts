/** To whom an operator shows the accounts and the draws of its instances (docs/rules/http.md "Fairness"). */
export const fairnessChoices = ['public', 'signed_in'] as const;
