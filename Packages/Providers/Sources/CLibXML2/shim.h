// libxml2's parser, and its fields that Swift can't name in every release: newer ones mark them as
// deprecated. And files, which the parser is never told the names of.
#ifndef HOLT_CLIBXML2_SHIM_H
#define HOLT_CLIBXML2_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

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

// Opens a file for reading: its descriptor, or an error's number as a negative one.
static inline int holt_xml_open(const char *path) {
  int descriptor;
  do {
    descriptor = open(path, O_RDONLY | O_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor < 0 ? -errno : descriptor;
}

// How many bytes were read, 0 at the end; or an error's number as a negative one.
static inline ptrdiff_t holt_xml_read(int descriptor, void *buffer, size_t size) {
  ptrdiff_t count;
  do {
    count = read(descriptor, buffer, size);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

static inline void holt_xml_close(int descriptor) { close(descriptor); }

typedef enum {
  HOLT_XML_FILE_FAILS,
  HOLT_XML_FILE_IS_MISSING,
  HOLT_XML_FILE_IS_FORBIDDEN,
  HOLT_XML_FILE_IS_FOLDER,
} holt_xml_file_fault;

static inline holt_xml_file_fault holt_xml_file_fault_of(int error) {
  switch (error) {
  case ENOENT:
  case ENOTDIR: return HOLT_XML_FILE_IS_MISSING;
  case EACCES:
  case EPERM: return HOLT_XML_FILE_IS_FORBIDDEN;
  case EISDIR: return HOLT_XML_FILE_IS_FOLDER;
  default: return HOLT_XML_FILE_FAILS;
  }
}

#endif
