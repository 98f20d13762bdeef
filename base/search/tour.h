/* Tours: visit every stop once in the cheapest order. A stop may have several poses (an object can be reached from up
 * to four sides), of which a tour uses one. Exact for up to SB_TOUR_EXACT stops. For more, a good tour: nearest
 * neighbour, improved by moving and reversing pieces until nothing makes it cheaper. */
#ifndef SB_BASE_SEARCH_TOUR_H
#define SB_BASE_SEARCH_TOUR_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_TOUR_STOPS = 40, SB_TOUR_POSES = 121, SB_TOUR_EXACT = 10, SB_TOUR_EXACT_POSES = 41, SB_TOUR_NO_WAY = 20000 };

typedef struct sb_tour {
    int n_stops;
    int last;                      /* the stop that must come last, or -1 */
    int n_poses;                   /* pose 0 is the start of the tour and belongs to no stop */
    int8_t stop_of[SB_TOUR_POSES]; /* the stop of each pose except the first: 0..n_stops-1 */
    /* cost of going from one pose to another, at least 0; SB_TOUR_NO_WAY: impossible */
    int16_t cost[SB_TOUR_POSES][SB_TOUR_POSES];
    /* Working memory. */
    int16_t best[1 << SB_TOUR_EXACT][SB_TOUR_EXACT_POSES];
    int8_t from[1 << SB_TOUR_EXACT][SB_TOUR_EXACT_POSES];
} sb_tour;

/* Writes the poses in the order of the tour, one for each stop, and returns the cost; -1 if no tour visits all stops.
 */
int sb_tour_solve(sb_tour *tour, int route[SB_TOUR_STOPS]);

#endif
