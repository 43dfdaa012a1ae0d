/* What an HTML report begins with: the files of page/, as one text. */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

extern const char report_page[];

#endif
