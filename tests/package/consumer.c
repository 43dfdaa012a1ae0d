#include <stdio.h>

#include <pgfsm/version.h>

int main(void) { return puts(pgfsm_version()) < 0; }
