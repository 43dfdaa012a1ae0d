/* Drawing from bundles, collections of the model and sampled_from. */
#include "gen/draw.h"
#include "support/drawing.h"

#include <string.h>

#define I(x) value_int(x)

enum { ITEMS = 5, DRAWS = 300 };

/* A host: a bundle whose item n (from 0) is 10 * (n + 1), the output 0 of step 100 + n. */
struct host {
    struct value bundle;
    struct list *items;
    struct value outputs[ITEMS]; /* VALUE_NONE: the step is gone */
    enum collection_kind kind;   /* of what sampled_from draws from */
    bool returned;               /* what is_returned says */
};

static struct host *host_of(struct drawer *drawer) { return drawer->host; }

static void locate(struct drawer *drawer, struct value from, struct value item,
                   struct reference *out)
{
    (void)from;
    out->step = REFERENCE_BY_POSITION;
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (value_equal(host_of(drawer)->outputs[i], item)) {
            out->step = 100 + i;
            return;
        }
    }
}

static bool resolve(struct drawer *drawer, struct value from, const struct reference *reference,
                    struct value *out)
{
    (void)from;
    uint32_t index = reference->step - 100;
    if (index >= ITEMS || reference->output != 0 ||
        host_of(drawer)->outputs[index].type == VALUE_NONE) {
        return false;
    }
    *out = host_of(drawer)->outputs[index];
    return true;
}

static bool is_returned(struct drawer *drawer, struct value item)
{
    (void)item;
    return host_of(drawer)->returned;
}

static enum collection_kind kind_of(struct drawer *drawer, struct value from)
{
    (void)from;
    return host_of(drawer)->kind;
}

static uint32_t source(struct drawer *drawer, struct value from)
{
    (void)drawer, (void)from;
    return 7;
}

static void consume(struct drawer *drawer, struct value bundle, struct value item)
{
    struct host *host = host_of(drawer);
    assert_true(value_same(bundle, host->bundle));
    for (size_t i = 0; i < host->items->count; i++) {
        if (value_equal(host->items->items[i], item)) {
            host->items->count--;
            memmove(host->items->items + i, host->items->items + i + 1,
                    (host->items->count - i) * sizeof *host->items->items);
            return;
        }
    }
    fail_msg("what is consumed is not there");
}

static const struct drawer_ops ops = {locate, is_returned, resolve, kind_of, source, consume};

static struct host *new_host(void)
{
    struct host *host = ARENA_NEW(&test_arena, struct host);
    struct value list = int_list(ITEMS, (int64_t[]){10, 20, 30, 40, 50});
    host->items = list.as.list;
    host->bundle = bundle_of(host->items);
    for (size_t i = 0; i < ITEMS; i++) {
        host->outputs[i] = host->items->items[i];
    }
    return host;
}

static struct drawer *with_host(struct drawer *drawer, struct host *host)
{
    drawer->ops = &ops;
    drawer->host = host;
    return drawer;
}

static void remove_item(struct host *host, size_t index)
{
    host->items->count--;
    memmove(host->items->items + index, host->items->items + index + 1,
            (host->items->count - index) * sizeof *host->items->items);
}

static const struct choices *reference(uint32_t step, uint32_t output, uint64_t position)
{
    struct choices *choices = ARENA_NEW(&test_arena, struct choices);
    *VEC_PUSH(&test_arena, &choices->items) =
        (struct choice){.kind = CHOICE_REFERENCE,
                        .as.reference = {.step = step, .output = output, .position = position}};
    return choices;
}

static const struct reference *recorded(const struct drawer *drawer)
{
    assert_int_equal(drawer->record->items.count, 1);
    assert_int_equal(drawer->record->items.items[0].kind, CHOICE_REFERENCE);
    return &drawer->record->items.items[0].as.reference;
}

static void a_draw_records_where_the_item_came_from(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct drawer *drawer = with_host(test_drawer(1), host);
    host->outputs[4] = value_none(); /* 50 came from no step */
    unsigned seen[ITEMS] = {0};
    for (int i = 0; i < DRAWS; i++) {
        int64_t drawn = draw_ok(drawer, host->bundle).as.integer;
        const struct reference *from = recorded(drawer);
        size_t position = (size_t)drawn / 10 - 1;
        seen[position]++;
        assert_int_equal(from->position, position);
        assert_int_equal(from->output, 0);
        assert_true(from->step == (position == 4 ? REFERENCE_BY_POSITION : 100 + position));
    }
    for (size_t i = 0; i < ITEMS; i++) { /* 60 expected of each */
        assert_in_range(seen[i], 35, 90);
    }
}

static void the_oldest_is_the_simplest(void **state)
{
    (void)state;
    struct host *host = new_host();
    assert_repr(draw_ok(with_host(replay_drawer(NULL), host), host->bundle), "10");
}

static void a_reference_follows_its_step(void **state)
{
    (void)state;
    struct host *host = new_host();
    remove_item(host, 0);
    struct drawer *drawer = with_host(replay_drawer(reference(102, 0, 2)), host);
    assert_repr(draw_ok(drawer, host->bundle), "30");
    assert_int_equal(recorded(drawer)->step, 102);
    assert_int_equal(recorded(drawer)->position, 1);
}

static void a_reference_that_is_gone_rejects(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct value out;
    host->outputs[1] = value_none(); /* its step was removed */
    assert_int_equal(
        draw_result(with_host(replay_drawer(reference(101, 0, 1)), host), host->bundle, &out),
        DRAW_REJECTED);
    assert_int_equal(
        draw_result(with_host(replay_drawer(reference(100, 1, 0)), host), host->bundle, &out),
        DRAW_REJECTED);   /* no such output */
    remove_item(host, 2); /* the step is there, but its value was consumed */
    assert_int_equal(
        draw_result(with_host(replay_drawer(reference(102, 0, 2)), host), host->bundle, &out),
        DRAW_REJECTED);
}

static bool over_25(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_bool(call->args[0].as.integer > 25);
    return true;
}

static bool negated(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_int(-call->args[0].as.integer);
    return true;
}

static bool under_minus_25(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_bool(call->args[0].as.integer < -25);
    return true;
}

static void a_reference_that_a_filter_refuses_rejects(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct value out;
    struct value filtered = method(host->bundle, "filter", function(over_25));
    assert_int_equal(
        draw_result(with_host(replay_drawer(reference(100, 0, 0)), host), filtered, &out),
        DRAW_REJECTED);
    assert_repr(draw_ok(with_host(replay_drawer(reference(104, 0, 4)), host), filtered), "50");
}

static void a_position_is_clamped(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct drawer *drawer = with_host(replay_drawer(reference(REFERENCE_BY_POSITION, 0, 99)), host);
    assert_repr(draw_ok(drawer, host->bundle), "50");
    assert_int_equal(recorded(drawer)->position, 4);
    assert_int_equal(recorded(drawer)->step, 104); /* now it is known */
    struct value filtered = method(host->bundle, "filter", function(over_25));
    drawer = with_host(replay_drawer(reference(REFERENCE_BY_POSITION, 0, 1)), host);
    assert_repr(draw_ok(drawer, filtered), "30"); /* nothing simpler passes: the next that does */
    drawer = with_host(replay_drawer(reference(REFERENCE_BY_POSITION, 0, 3)), host);
    assert_repr(draw_ok(drawer, filtered), "40");
}

/* What is made for the draw: the item that was drawn is drawn again, wherever it stands; once it is
 * gone, what stands in its place. */
static void an_item_of_a_computed_list_is_kept(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct value list = int_list(4, (int64_t[]){7, 10, 8, 9});
    struct value sampled = strategy("sampled_from", "", list, NULL);
    host->kind = COLLECTION_COMPUTED;
    struct drawer *drawer = with_host(replay_drawer(reference(REFERENCE_BY_POSITION, 0, 2)), host);
    assert_repr(draw_ok(drawer, sampled), "8");
    struct choices kept = choices_copy(&test_arena, drawer->record);
    assert_int_equal(kept.items.items[0].as.reference.step, REFERENCE_BY_POSITION);
    sampled = strategy("sampled_from", "", int_list(3, (int64_t[]){8, 10, 9}), NULL);
    drawer = with_host(replay_drawer(&kept), host);
    assert_repr(draw_ok(drawer, sampled), "8");
    assert_int_equal(recorded(drawer)->position, 0);
    sampled = strategy("sampled_from", "", int_list(3, (int64_t[]){7, 10, 9}), NULL);
    drawer = with_host(replay_drawer(&kept), host);
    assert_repr(draw_ok(drawer, sampled), "9");
    kept.items.items[0].as.reference.item = NULL;
    sampled = strategy("sampled_from", "", int_list(3, (int64_t[]){8, 10, 9}), NULL);
    assert_repr(draw_ok(with_host(replay_drawer(&kept), host), sampled), "9");
    host->returned = true; /* now its 10 is what the first step returned */
    drawer = with_host(replay_drawer(reference(REFERENCE_BY_POSITION, 0, 1)), host);
    assert_repr(draw_ok(drawer, sampled), "10");
    assert_int_equal(recorded(drawer)->step, 100);
}

/* One item among many: it is found every time, whatever the odds. */
static void filters_are_tried_on_every_item(void **state)
{
    (void)state;
    struct value list = value_list(&test_arena);
    for (int64_t i = 0; i < 1000; i++) {
        list_append(list.as.list, I(i == 700 ? 26 : -i));
    }
    struct value sampled = strategy("sampled_from", "", list, NULL);
    struct value strategies[] = {
        method(bundle_of(list.as.list), "filter", function(over_25)),
        method(sampled, "filter", function(over_25)),
        method(
            method(method(sampled, "map", function(negated)), "filter", function(under_minus_25)),
            "map", function(negated)),
    };
    struct drawer *drawer = test_drawer(2);
    struct error err = {0};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        bool mapped = i == 2;
        assert_int_equal(strategy_possible(test_caller(), strategies[i], &err), DRAW_OK);
        int64_t first = draw_ok(drawer, strategies[i]).as.integer;
        assert_true(mapped ? first >= 26 : first == 26);
        assert_int_equal(drawer->record->items.count, 1);
        draw_ok(replay_drawer(NULL), strategies[i]);
    }
    list.as.list->items[700] = I(-1);
    struct value out;
    assert_int_equal(strategy_possible(test_caller(), strategies[0], &err), DRAW_EMPTY);
    assert_int_equal(draw_result(drawer, strategies[0], &out), DRAW_EMPTY);
    assert_int_equal(draw_result(drawer, strategies[1], &out), DRAW_EMPTY);
}

static void what_passes_is_drawn_evenly(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct value filtered = method(host->bundle, "filter", function(over_25));
    struct drawer *drawer = with_host(test_drawer(3), host);
    unsigned seen[ITEMS] = {0};
    for (int i = 0; i < DRAWS; i++) {
        seen[draw_ok(drawer, filtered).as.integer / 10 - 1]++;
    }
    assert_int_equal(seen[0] + seen[1], 0);
    for (size_t i = 2; i < ITEMS; i++) { /* 100 expected of each */
        assert_in_range(seen[i], 65, 140);
    }
}

static void consumed_items_are_taken_out(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct value taking = strategy("consumes", "", host->bundle, NULL);
    struct drawer *drawer = with_host(test_drawer(4), host);
    int64_t sum = 0;
    for (size_t left = ITEMS; left > 0; left--) {
        assert_int_equal(host->items->count, left);
        sum += draw_ok(drawer, taking).as.integer;
    }
    assert_int_equal(sum, 150);
    struct value out;
    assert_int_equal(draw_result(drawer, taking, &out), DRAW_EMPTY);
}

static void two_consumes_need_two_values(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct host *host = new_host();
        struct value taking = strategy("consumes", "", host->bundle, NULL);
        struct value pair = strategy("tuples", "", taking, "", host->bundle, "", taking, NULL);
        struct drawer *drawer = with_host(test_drawer(seed), host);
        const struct value *drawn = draw_ok(drawer, pair).as.tuple->items;
        assert_false(value_equal(drawn[0], drawn[2]));
        assert_false(value_equal(drawn[0], drawn[1])); /* later arguments no longer see it */
        assert_int_equal(host->items->count, ITEMS - 2);
        /* the whole of it replays */
        struct host *again = new_host();
        struct value same = strategy("consumes", "", again->bundle, NULL);
        same = strategy("tuples", "", same, "", again->bundle, "", same, NULL);
        struct drawer *replaying = with_host(replay_drawer(drawer->record), again);
        const struct value *replayed = draw_ok(replaying, same).as.tuple->items;
        for (size_t i = 0; i < 3; i++) {
            assert_true(value_equal(drawn[i], replayed[i]));
        }
        assert_true(choices_equal(drawer->record, replaying->record));
    }
    struct host *host = new_host();
    host->items->count = 1;
    struct value taking = strategy("consumes", "", host->bundle, NULL);
    struct value out;
    assert_int_equal(draw_result(with_host(test_drawer(5), host),
                                 strategy("tuples", "", taking, "", taking, NULL), &out),
                     DRAW_EMPTY);
    assert_int_equal(host->items->count, 1); /* an argument that fails takes nothing */
}

static void consumed_lists_stop_when_all_is_gone(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct value taking = strategy("consumes", "", host->bundle, NULL);
    struct value all = strategy("lists", "", taking, "min_size", I(5), "max_size", I(9), NULL);
    assert_int_equal(draw_ok(with_host(test_drawer(6), host), all).as.list->count, 5);
    assert_int_equal(host->items->count, 0);
}

static bool never(const struct native_call *call, struct value *out, struct error *err)
{
    (void)call, (void)err;
    *out = value_bool(false);
    return true;
}

static void what_a_filter_refuses_is_not_consumed(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct value taking = strategy("consumes", "", host->bundle, NULL);
    struct drawer *drawer = with_host(test_drawer(7), host);
    assert_true(draw_ok(drawer, method(taking, "filter", function(over_25))).as.integer > 25);
    assert_int_equal(host->items->count, ITEMS - 1);
    struct value out;
    struct value hopeless = method(strategy("tuples", "", taking, NULL), "filter", function(never));
    assert_int_equal(draw_result(drawer, hopeless, &out), DRAW_REJECTED);
    assert_int_equal(host->items->count, ITEMS - 1);
    assert_int_equal(draw_result(drawer, method(taking, "filter", function(never)), &out),
                     DRAW_EMPTY);
    assert_int_equal(host->items->count, ITEMS - 1);
}

static void consumes_without_a_host_is_an_error(void **state)
{
    (void)state;
    struct host *host = new_host();
    struct value out;
    struct error err = {0};
    assert_int_equal(
        strategy_draw(test_drawer(8), strategy("consumes", "", host->bundle, NULL), 1, &out, &err),
        DRAW_ERROR);
    assert_string_equal(err.message, "consumes() can take a value only for a rule's step");
}

static void equal_items_keep_their_position(void **state)
{
    (void)state;
    struct host *host = new_host();
    list_append(host->items, I(10));
    struct drawer *drawer = with_host(replay_drawer(reference(100, 0, 5)), host);
    assert_repr(draw_ok(drawer, host->bundle), "10");
    assert_int_equal(recorded(drawer)->position, 5);
}

/* A dict and a set with holes: positions count only existing items. */
static void tables_are_drawn_from_by_position(void **state)
{
    (void)state;
    struct value dict = value_dict(&test_arena);
    for (int64_t i = 0; i < 6; i++) {
        assert_true(table_set(dict.as.table, I(i), text("v"), NULL));
    }
    struct table_entry *entry;
    for (int64_t i = 0; i < 4; i += 2) {
        assert_true(table_find(dict.as.table, I(i), &entry, NULL));
        table_remove(dict.as.table, entry);
    }
    struct drawer *drawer = replay_drawer(reference(REFERENCE_BY_POSITION, 0, 1));
    assert_repr(draw_ok(drawer, dict), "3"); /* 1, 3, 4, 5 are left */
    assert_int_equal(recorded(drawer)->position, 1);
    assert_repr(draw_ok(replay_drawer(NULL), dict), "1");
    struct drawer *fresh = test_drawer(9);
    unsigned seen[6] = {0};
    for (int i = 0; i < DRAWS; i++) {
        seen[draw_ok(fresh, dict).as.integer]++;
    }
    assert_int_equal(seen[0] + seen[2], 0);
    for (size_t i = 1; i < 6; i += i == 1 ? 2 : 1) { /* 75 expected of each */
        assert_in_range(seen[i], 40, 115);
    }
}

static void a_sample_is_recorded_by_index(void **state)
{
    (void)state;
    struct value roles = value_list(&test_arena);
    list_append(roles.as.list, text("viewer"));
    list_append(roles.as.list, text("editor"));
    struct value sampled = strategy("sampled_from", "", roles, NULL);
    struct choices choices = {0};
    *VEC_PUSH(&test_arena, &choices.items) =
        (struct choice){.kind = CHOICE_INTEGER, .as.integer = {7, 0, 9, 0}};
    struct drawer *drawer = replay_drawer(&choices);
    assert_repr(draw_ok(drawer, sampled), "\"editor\"");
    struct choice expected = {.kind = CHOICE_INTEGER, .as.integer = {1, 0, 1, 0}};
    assert_true(choice_equal(&drawer->record->items.items[0], &expected));
    /* a bundle's items are references, also when sampled */
    struct host *host = new_host();
    drawer = with_host(replay_drawer(reference(103, 0, 3)), host);
    assert_repr(draw_ok(drawer, strategy("sampled_from", "", host->bundle, NULL)), "40");
    assert_int_equal(recorded(drawer)->step, 103);
}

static bool grows(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_bool(true);
    return value_check_mutable(call->self, err);
}

static void a_collection_is_locked_while_it_is_drawn_from(void **state)
{
    (void)state;
    struct value list = int_list(2, (int64_t[]){1, 2});
    struct native_function row = {"grows", grows, NULL, 0};
    struct value grow = value_native(&test_arena, &row, list);
    struct value sampled = method(strategy("sampled_from", "", list, NULL), "filter", grow);
    struct error err = {0};
    struct value out;
    assert_int_equal(strategy_draw(test_drawer(10), sampled, 1, &out, &err), DRAW_ERROR);
    assert_non_null(strstr(err.message, "list"));
    assert_int_equal(strategy_possible(test_caller(), sampled, &err), DRAW_ERROR);
    assert_true(value_check_mutable(list, &err)); /* and no longer */
}

static void locality_comes_back_to_what_was_used(void **state)
{
    (void)state;
    struct value list = value_list(&test_arena);
    for (int64_t i = 0; i < 100; i++) {
        list_append(list.as.list, I(i));
    }
    struct value bundle = bundle_of(list.as.list);
    struct value others = bundle_of(int_list(3, (int64_t[]){-1, -2, -3}).as.list);
    unsigned again[2] = {0};
    for (int local = 0; local < 2; local++) {
        struct drawer *drawer = test_drawer(11);
        drawer->local = local;
        int64_t last = -1;
        for (int i = 0; i < DRAWS; i++) {
            int64_t drawn = draw_ok(drawer, bundle).as.integer;
            again[local] += drawn == last;
            last = drawn;
            draw_ok(drawer, others); /* what another bundle gave is not in the way */
        }
    }
    assert_true(again[0] < DRAWS / 10);
    assert_true(again[1] > DRAWS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_draw_records_where_the_item_came_from, drawing_clear),
        cmocka_unit_test_teardown(the_oldest_is_the_simplest, drawing_clear),
        cmocka_unit_test_teardown(a_reference_follows_its_step, drawing_clear),
        cmocka_unit_test_teardown(a_reference_that_is_gone_rejects, drawing_clear),
        cmocka_unit_test_teardown(a_reference_that_a_filter_refuses_rejects, drawing_clear),
        cmocka_unit_test_teardown(a_position_is_clamped, drawing_clear),
        cmocka_unit_test_teardown(an_item_of_a_computed_list_is_kept, drawing_clear),
        cmocka_unit_test_teardown(filters_are_tried_on_every_item, drawing_clear),
        cmocka_unit_test_teardown(what_passes_is_drawn_evenly, drawing_clear),
        cmocka_unit_test_teardown(consumed_items_are_taken_out, drawing_clear),
        cmocka_unit_test_teardown(two_consumes_need_two_values, drawing_clear),
        cmocka_unit_test_teardown(consumed_lists_stop_when_all_is_gone, drawing_clear),
        cmocka_unit_test_teardown(what_a_filter_refuses_is_not_consumed, drawing_clear),
        cmocka_unit_test_teardown(consumes_without_a_host_is_an_error, drawing_clear),
        cmocka_unit_test_teardown(equal_items_keep_their_position, drawing_clear),
        cmocka_unit_test_teardown(tables_are_drawn_from_by_position, drawing_clear),
        cmocka_unit_test_teardown(a_sample_is_recorded_by_index, drawing_clear),
        cmocka_unit_test_teardown(a_collection_is_locked_while_it_is_drawn_from, drawing_clear),
        cmocka_unit_test_teardown(locality_comes_back_to_what_was_used, drawing_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
