/* path_frontier.c: which open ends are cut off, by hand. */
#include "puzzle/path_frontier.h"

#include <string.h>

#include "check.h"

enum { BITS = 4 };

/* The frontier that is drawn: '.' closed, parentheses, letters for colours. */
static crux_path_frontier frontier_of(const crux_path_plugs *p, const char *drawn)
{
	crux_path_frontier frontier = 0;
	for (size_t i = 0; drawn[i]; i++) {
		const char *const sign = strchr(".()ABCDE", drawn[i]);
		frontier = crux_plug_set(p, frontier, i, (unsigned)(sign - ".()ABCDE"));
	}
	return frontier;
}

/* A and B are pairs, C goes to the edge and D further on there, E goes anywhere. */
static bool is_obstructed(const char *drawn, char colour)
{
	crux_path_plugs p = {.width = strlen(drawn) - 1, .bits = BITS, .mask = (1U << BITS) - 1};
	unsigned const roles[] = {CRUX_ROLE_PAIR, CRUX_ROLE_PAIR, CRUX_ROLE_EDGE + 2, CRUX_ROLE_EDGE + 5, CRUX_ROLE_ANY};
	for (unsigned i = 0; i < 5; i++)
		p.roles[CRUX_PLUG_COLOUR + i] = roles[i];
	return crux_plug_obstructed(&p, frontier_of(&p, drawn), (size_t)(strchr(drawn, colour) - drawn));
}

int main(void)
{
	static const struct {
		const char *drawn;
		char colour;
		bool obstructed;
	} cases[] = {
		{"A.B.A.B", 'A', true},     {"A.B.A.B", 'B', true},    {"AB.BA..", 'A', false},  {"AB.BA..", 'B', false},
		{"AABB", 'A', false},       {"ACA", 'A', true},        {"ACA", 'C', true},       {"CAA", 'C', false},
		{"CAA", 'A', false},        {"AEA", 'A', false},       {"AEAE", 'E', false},     {"CD", 'C', false},
		{"DC", 'C', true},          {"DC", 'D', true},         {"CAD.A", 'A', true},     {"CAD.A", 'D', true},
		{"A(B.A)B", 'A', false}, /* one may lead through the parentheses */
		{"A()BAB", 'A', true},      {"(ABAB)", 'A', true},     {"(ABA)B", 'A', false},   {"A(C)A", 'A', false},
		{"A(C)A", 'C', false},      {"(ACA)", 'A', false},     {"A(BB)A", 'A', false},   {"A((B)A)B", 'A', false},
		{"D(C)", 'C', false},       {"A", 'A', false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK(is_obstructed(cases[i].drawn, cases[i].colour) == cases[i].obstructed);
	crux_path_plugs const p = {.width = 7, .bits = BITS, .mask = (1U << BITS) - 1};
	crux_path_frontier const nested = frontier_of(&p, "(A().)B.");
	CHECK(crux_plug_partner(&p, nested, 0) == 5 && crux_plug_partner(&p, nested, 5) == 0);
	CHECK(crux_plug_partner(&p, nested, 2) == 3 && crux_plug_partner(&p, nested, 3) == 2);
	return check_summary();
}
