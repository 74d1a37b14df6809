/* Calls of which the last counts, by the state that they set. */
#ifndef KEEP_H
#define KEEP_H
#include "calls.h"

enum { SLOTS = 512, ALL = 1, PIXEL = 2, VERTEX = 3 };

typedef struct Entry {
    struct Entry *next;
    int function;
    DWORD first, second, serial;
    Record *record;
    const Object *object, *other; /* that the call names */
} Entry;

typedef struct { Entry *slots[SLOTS]; int count; } Map;

typedef struct Block {
    struct Block *next;
    DWORD token, serial;
    int type; /* 0: the program recorded it */
    Map map;
    Record *begin, *made;
} Block;

struct State { Map map; Block *blocks, *open; };

extern DWORD next_state; /* the number of the last call that was kept */

Entry **place_of(Map *map, int function, DWORD first, DWORD second);
void put_copy(Map *map, const Entry *entry, DWORD serial);
void clear_map(Map *map);
void forget(Map *map, Entry **place);
Entry **in_order(const Map *map, int *count);
void write_map(Map *map, int shaders);
struct State *state_of(Object *device);
void free_blocks(struct State *state);
void write_blocks(struct State *state);
#endif
