// libxml2's parser, and accessors of fields that Swift can't use with every release, because newer releases
// deprecate them.
#ifndef HOLT_CLIBXML2_SHIM_H
#define HOLT_CLIBXML2_SHIM_H

// If libxml2 was built with ICU, its headers include ICU's, which conflict with Foundation's. The types used here
// do not depend on ICU.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <stddef.h>
#include <string.h>

// Returns an empty SAX2 handler, whose callbacks receive names and namespaces separately.
static inline xmlSAXHandler holt_xml_handler(void) {
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof(handler));
  handler.initialized = XML_SAX2_MAGIC;
  return handler;
}

// Returns the number of bytes that the parser has not consumed yet.
static inline ptrdiff_t holt_xml_left(xmlParserCtxtPtr parser) {
  return parser->input ? parser->input->end - parser->input->cur : 0;
}

// The same, counted from the last `<` before the parser's position: a tag contains no other `<`.
static inline ptrdiff_t holt_xml_left_at_tag(xmlParserCtxtPtr parser) {
  const xmlChar *place = parser->input->cur;
  while (place > parser->input->base && *--place != '<') continue;
  return parser->input->end - (*place == '<' ? place : parser->input->cur);
}

// Returns whether the parser, in a tag, is at its `/>`.
static inline int holt_xml_is_at_slash(xmlParserCtxtPtr parser) {
  return parser->input->cur < parser->input->end && *parser->input->cur == '/';
}

static inline int holt_xml_is_well_formed(xmlParserCtxtPtr parser) { return parser->wellFormed; }

// Returns the parser's interned copy of a name, whose address callbacks receive.
static inline const xmlChar *holt_xml_intern(
  xmlParserCtxtPtr parser, const char *name, size_t length) {
  return xmlDictLookup(parser->dict, (const xmlChar *)name, (int)length);
}

static inline void holt_xml_free(xmlParserCtxtPtr parser) {
  // The parser creates a document for an entity declaration, even if it is then refused.
  if (parser->myDoc) xmlFreeDoc(parser->myDoc);
  parser->myDoc = NULL;
  xmlFreeParserCtxt(parser);
}

#endif
