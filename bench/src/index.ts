export { drawChart } from './report/chart.js';
export { holds, median, type BenchResult, type Comparison, type Figure } from './report/result.js';
export { formatTable } from './report/table.js';
