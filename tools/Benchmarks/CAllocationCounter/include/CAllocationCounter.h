#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

// Counts the heap allocations of the calling thread. A program that links this has the allocator's entry
// points replaced by ones that count and pass on to the C library.

/// Counts from 0 on.
void allocation_counter_start(void);

/// Counts no more; returns how many allocations there were since the start.
unsigned long allocation_counter_stop(void);

#endif
