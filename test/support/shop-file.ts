/** A provisioning file that holds. Nothing listens at its platform; the terminal is set up all the same. */
export const shopFile = {
  platformUrl: 'http://127.0.0.1:9',
  clientId: 'till',
  clientSecret: 'made-up',
  companyId: 1,
  stockIds: [1],
} as const;
