import type { Operation } from '../../operation/operation.ts';
import { readDailyReport } from './daily.ts';
import { exportReport } from './exports.ts';
import { instanceReports } from './instances.ts';
import { listContributionsReport, listPaymentsReport, listWinsReport } from './lists.ts';
import { readSignificantReport } from './significant.ts';
import { explainContributionReport, readPlayerReport, searchReport } from './single.ts';

const reports = [
  listContributionsReport,
  explainContributionReport,
  listWinsReport,
  listPaymentsReport,
  readPlayerReport,
  searchReport,
  readDailyReport,
  readSignificantReport,
  exportReport,
];

/** Reports for administrators, behind them the same for services, and those of administrators alone. */
export const reportOperations: readonly Operation[] = [
  ...reports.map(([administrators]) => administrators),
  ...reports.map(([, services]) => services),
  ...instanceReports,
];
