/* Value iteration for an agent and one other that moves, such as a sheep: for each cell of the agent there is a table
 * of the expected steps that are left, by the other's cell.
 *
 * Cells are numbered in rows of SB_VALUES_ROW whatever the size of the grid, so loops over a row have a known length
 * and compilers vectorise them. Pointers to tables point at the first of the rows. */
#ifndef SB_ORACLES_VALUES_H
#define SB_ORACLES_VALUES_H

enum { SB_VALUES_ROW = 16, SB_VALUES_ACTIONS = 5 };

/* Sets steps to 1 more than the least of the values after each action. No table of `after` may overlap `steps`. */
void sb_values_choose(float *steps, const float *const after[SB_VALUES_ACTIONS], int rows);

/* Replaces the values by these steps where `inside` is 1, and by 0 where it is 0. Raises `change` to the largest change
 * of each column. The tables must not overlap. */
void sb_values_replace(float *values, const float *steps, const float *inside, int rows, float change[SB_VALUES_ROW]);

/* Returns the largest change of all columns. */
float sb_values_most(const float change[SB_VALUES_ROW]);

#endif
