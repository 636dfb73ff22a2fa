#include "baseline.h"

#include <libxml/xmlreader.h>
#include <string.h>

static void touch(const char *text, uint64_t *sum) {
  size_t length = text ? strlen(text) : 0;
  *sum += length;
  for (size_t i = 0; i < length; i++) *sum += (unsigned char)text[i];
}

int baseline_read_xml(const char *bytes, size_t size, int touches, uint64_t *sum) {
  xmlTextReaderPtr reader =
    xmlReaderForMemory(bytes, (int)size, NULL, NULL, XML_PARSE_NONET | XML_PARSE_HUGE);
  int rc;
  *sum = 0;
  if (!reader) return -1;
  while ((rc = xmlTextReaderRead(reader)) == 1) {
    if (!touches) continue;
    switch (xmlTextReaderNodeType(reader)) {
    case XML_READER_TYPE_ELEMENT:
      *sum += 1;
      while (xmlTextReaderMoveToNextAttribute(reader) == 1) {
        touch((const char *)xmlTextReaderConstValue(reader), sum);
      }
      break;
    case XML_READER_TYPE_TEXT: touch((const char *)xmlTextReaderConstValue(reader), sum); break;
    default: break;
    }
  }
  xmlFreeTextReader(reader);
  return rc;
}
