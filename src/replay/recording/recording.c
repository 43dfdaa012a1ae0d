#include "replay/recording/recording.h"

static size_t cells_of(const struct recorded_statement *statement)
{
    return statement->first_cell ? statement->rows * statement->columns.count : 0;
}

struct recorded_cell recording_cell(const struct recording *recording, unsigned cell)
{
    for (size_t i = 0; i < recording->steps.count; i++) {
        const struct recorded_step *step = &recording->steps.items[i];
        for (size_t j = 0; j < step->statements.count; j++) {
            const struct recorded_statement *statement = &step->statements.items[j];
            if (cell >= statement->first_cell &&
                cell - statement->first_cell < cells_of(statement)) {
                size_t place = cell - statement->first_cell;
                return (struct recorded_cell){i, j, place / statement->columns.count,
                                              place % statement->columns.count};
            }
        }
    }
    return (struct recorded_cell){.step = SIZE_MAX};
}

const struct recorded_step *recording_last_step(const struct recording *recording)
{
    return &recording->steps.items[recording->steps.count - 1];
}

const struct recorded_statement *recording_last_statement(const struct recording *recording)
{
    const struct recorded_step *step = recording_last_step(recording);
    size_t count = step->statements.count;
    return count ? &step->statements.items[count - 1] : NULL;
}

bool recording_ends_within(const struct recording *recording)
{
    size_t i = 0;
    while (i < recording->steps.count && recording->steps.items[i].death != DEATH_WITHIN) {
        i++;
    }
    return i < recording->steps.count;
}
