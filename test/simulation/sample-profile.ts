import type { Id } from '../../app/domain/int64.ts';

/** The shop that every simulated till begins with. */
export const sampleProfile = {
  platformUrl: 'https://platform.example.com',
  clientId: 'sample-client',
  companyId: '7' as Id,
  stockIds: ['1' as Id],
};
