import { column } from './columns.ts';

const { day, hex, integer, json, person, sum, text, time } = column;

/** Where the books are, and sums that the writer keeps: they are added to, batch by batch. */

const own = "the instance's";
const ofTotals = 'currency';

/** What is summed up by day, owner, instance and pot; all but the two counts are amounts in `currency`. */
export const measures = {
  contributions: integer('Number of contributions; they count at the instance, not at its pots'),
  wins: integer('Number of winners'),
  wagered: sum(ofTotals, 'Wagers of the contributions'),
  contributed: sum(ofTotals, 'Contributions'),
  player_part: sum(ofTotals, "The players' part of them"),
  operator_part: sum(ofTotals, "The operator's part of them"),
  bonus: sum(ofTotals, 'Bonus funds within them'),
  won: sum(ofTotals, 'Wins of all kinds'),
  community: sum(ofTotals, 'Community shares within them'),
  raffle: sum(ofTotals, 'Raffle prizes within them'),
  withheld: sum(ofTotals, 'Wins whose payment had to be released'),
  house: sum(ofTotals, 'What reached the house pot'),
  seed_collected: sum(ofTotals, 'What contributions gave for the seeds of next cycles'),
  seed_fronted: sum(ofTotals, 'What the operator fronted for seeds'),
  repaid: sum(ofTotals, 'What repaid fronted seeds'),
  fees: sum(ofTotals, "The operator's fees"),
  diverted: sum(ofTotals, 'What was put aside for other accounts'),
  adjusted: sum(ofTotals, 'Adjustments by administrators'),
  transferred: sum(ofTotals, 'What came from other instances by switches, less what left'),
  fx: sum(ofTotals, 'Differences of conversions'),
} as const;

export type Measure = keyof typeof measures;

export const dailyTables = {
  positions: {
    way: 'state',
    meaning: 'How far the books of each lane are',
    source: 'the writer, with the rows of the same transaction',
    key: ['lane'],
    indexes: [],
    columns: {
      lane: integer('Lane of the message'),
      sequence: integer('Last message whose rows are here'),
      time: time('Its time'),
      head: hex("The lane's head after it: SHA-256 over the outcome records"),
      system_id: text('The system whose log it is'),
    },
  },
  openings: {
    way: 'rows',
    meaning: 'Balances where the books of an instance begin in the middle of its life; others begin at 0',
    source: 'the oldest state of the lane that the log and its archive still lead to',
    key: ['instance', 'account'],
    indexes: [],
    columns: {
      instance: text('The instance'),
      account: text('`house`, `mega.current`'),
      lane: integer('Lane of the message'),
      sequence: integer('The balance is that after this message'),
      day: day('Its day'),
      balance: sum("the instance's", 'The balance'),
    },
  },
  daily_totals: {
    way: 'kept',
    meaning: 'The totals of a day',
    source: 'the rows of the same day, kept as they are written',
    key: ['instance', 'day', 'pot', 'brand', 'operator', 'currency'],
    indexes: [['operator', 'day'], ['brand', 'day'], ['day']],
    columns: {
      day: day('The day, UTC, by log time'),
      operator: text('The operator'),
      brand: text('`operator:brand`; empty where no brand is meant'),
      instance: text('The instance'),
      pot: text('The pot; empty: the instance'),
      currency: text("The instance's currency"),
      ...measures,
    },
  },
  daily_players: {
    way: 'kept',
    meaning: 'What a player did in an instance on a day',
    source: 'contributions and wins of the same day, kept as they are written',
    key: ['player', 'brand', 'day', 'instance'],
    indexes: [['operator', 'day']],
    columns: {
      day: day('The day, UTC, by log time'),
      operator: text('The operator'),
      brand: text('`operator:brand`'),
      player: person('The player'),
      instance: text('The instance'),
      currency: text("The instance's currency"),
      contributions: measures.contributions,
      contributed: measures.contributed,
      player_part: sum(ofTotals, "The player's part of them"),
      wins: integer('Number of wins'),
      won: measures.won,
    },
  },
  daily_balances: {
    way: 'kept',
    meaning:
      'Accounts at the end of each day on which they moved: a day without a row ends as the day before',
    source: 'the movements in `contributions` and `entries`, kept as they are written',
    key: ['instance', 'account', 'day'],
    indexes: [['instance', 'day']],
    columns: {
      day: day('The day, UTC, by log time'),
      instance: text('The instance'),
      account: text('`house`, `mega.current`'),
      opening: sum(own, 'The balance before the first movement'),
      movement: sum(own, 'The sum of all movements'),
      closing: sum(own, 'The balance after the last'),
    },
  },
  forgotten: {
    way: 'kept',
    meaning: 'Players whose ids the books do not have any more',
    source: 'KV FORGOTTEN, which has no ids either',
    key: ['pseudonym'],
    indexes: [],
    columns: {
      pseudonym: text('What stands in place of the id in every table'),
      brand: text('`operator:brand` of the player'),
      since: time('When it was ordered'),
    },
  },
  facts: {
    way: 'kept',
    meaning: 'What the database is: version of these tables, and the system',
    source: 'the writer',
    key: ['name'],
    indexes: [],
    columns: {
      name: text('`schema_version`, `system_id`, `forgotten` (how many), `forgotten_salt`, `rows_from`'),
      value: json('Its value'),
      since: time('When it was set, by the clock of the writer'),
    },
  },
} as const;
