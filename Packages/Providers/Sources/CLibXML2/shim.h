// libxml2's parser, and its fields that Swift can't name in every release: newer ones mark them as
// deprecated.
#ifndef HOLT_CLIBXML2_SHIM_H
#define HOLT_CLIBXML2_SHIM_H

// Where the library was built with ICU its headers include ICU's, which are not those that Foundation has. No type
// that is used here has a part of it.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <stddef.h>
#include <string.h>

// A set of callbacks without any, of the kind that is told names and namespaces apart.
static inline xmlSAXHandler holt_xml_handler(void) {
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof(handler));
  handler.initialized = XML_SAX2_MAGIC;
  return handler;
}

// Bytes of the input that the parser has not yet gone past.
static inline ptrdiff_t holt_xml_left(xmlParserCtxtPtr parser) {
  return parser->input ? parser->input->end - parser->input->cur : 0;
}

// The same, counted from the `<` before the parser's place: no tag has another one in it.
static inline ptrdiff_t holt_xml_left_at_tag(xmlParserCtxtPtr parser) {
  const xmlChar *place = parser->input->cur;
  while (place > parser->input->base && *--place != '<') continue;
  return parser->input->end - (*place == '<' ? place : parser->input->cur);
}

// Whether the parser, in a tag, stands before its `/>`.
static inline int holt_xml_is_at_slash(xmlParserCtxtPtr parser) {
  return parser->input->cur < parser->input->end && *parser->input->cur == '/';
}

static inline int holt_xml_is_well_formed(xmlParserCtxtPtr parser) { return parser->wellFormed; }

// The parser's own copy of a name: what callbacks are told has the same address.
static inline const xmlChar *holt_xml_intern(
  xmlParserCtxtPtr parser, const char *name, size_t length) {
  return xmlDictLookup(parser->dict, (const xmlChar *)name, (int)length);
}

static inline void holt_xml_free(xmlParserCtxtPtr parser) {
  // A document is made for a declaration of an entity, which is then refused.
  if (parser->myDoc) xmlFreeDoc(parser->myDoc);
  parser->myDoc = NULL;
  xmlFreeParserCtxt(parser);
}

#endif
