#ifndef HOLT_CLIBXML2_SHIM_H
#define HOLT_CLIBXML2_SHIM_H

#include <libxml/xmlreader.h>
#include <libxml/xmlwriter.h>

#endif
