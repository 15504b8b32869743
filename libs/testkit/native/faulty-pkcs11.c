/* SoftHSM with faults, each there while a file of its name is in FAULT_FOLDER.
 *
 * C_SignInit: `busy` gives CKR_SESSION_COUNT, `busy-twice` the same twice, `not-permitted` CKR_KEY_FUNCTION_NOT_PERMITTED,
 *   `logged-out` CKR_USER_NOT_LOGGED_IN once; `removed` gives CKR_DEVICE_REMOVED, and no slot has a token; `other-key` takes
 *   the key with the label "other".
 * C_Sign, once it has signed: `slow` takes 200 ms longer, `hang` does not return, `crash` ends the process; `replaced` gives
 *   CKR_DEVICE_REMOVED, and no slot has a token; `high-s` gives the s in the upper half of the group order, `not-a-signature`
 *   64 bytes of 255. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pkcs11/pkcs11.h>

static CK_FUNCTION_LIST list;
static CK_FUNCTION_LIST_PTR real;

static int is_set(const char *fault) {
  char path[4096];
  const char *folder = getenv("FAULT_FOLDER");
  if (folder == NULL) return 0;
  snprintf(path, sizeof path, "%s/%s", folder, fault);
  return access(path, F_OK) == 0;
}

/* Whether the fault is set; it is not any more. */
static int take(const char *fault) {
  char path[4096];
  const char *folder = getenv("FAULT_FOLDER");
  if (folder == NULL) return 0;
  snprintf(path, sizeof path, "%s/%s", folder, fault);
  return unlink(path) == 0;
}

/* The group order of secp256k1. Source: SEC 2, section 2.4.1 */
static const CK_BYTE order[32] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                  0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48,
                                  0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41};

/* Makes s (32) of r (32) || s (32) the greater one of s and n - s. */
static void raise_s(CK_BYTE_PTR s) {
  CK_BYTE other[32];
  int borrow = 0;
  for (int at = 31; at >= 0; at--) {
    int difference = order[at] - s[at] - borrow;
    borrow = difference < 0;
    other[at] = (CK_BYTE)(difference + 256 * borrow);
  }
  if (memcmp(other, s, 32) > 0) memcpy(s, other, 32);
}

static CK_RV find_other(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE_PTR key) {
  CK_OBJECT_CLASS wanted = CKO_PRIVATE_KEY;
  CK_ATTRIBUTE name[] = {{CKA_CLASS, &wanted, sizeof wanted}, {CKA_LABEL, "other", 5}};
  CK_ULONG count = 0;
  CK_RV value = real->C_FindObjectsInit(session, name, 2);
  if (value == CKR_OK) value = real->C_FindObjects(session, key, 1, &count);
  real->C_FindObjectsFinal(session);
  return value == CKR_OK && count == 0 ? CKR_GENERAL_ERROR : value;
}

static CK_RV faulty_sign_init(CK_SESSION_HANDLE session, CK_MECHANISM_PTR mechanism, CK_OBJECT_HANDLE key) {
  static int refusals = 0;
  if (!is_set("busy-twice")) refusals = 0;
  else if (refusals++ < 2) return CKR_SESSION_COUNT;
  if (is_set("busy")) return CKR_SESSION_COUNT;
  if (is_set("not-permitted")) return CKR_KEY_FUNCTION_NOT_PERMITTED;
  if (take("logged-out")) return CKR_USER_NOT_LOGGED_IN;
  if (is_set("removed")) return CKR_DEVICE_REMOVED;
  if (is_set("other-key")) {
    CK_RV value = find_other(session, &key);
    if (value != CKR_OK) return value;
  }
  return real->C_SignInit(session, mechanism, key);
}

static CK_RV faulty_sign(CK_SESSION_HANDLE session, CK_BYTE_PTR data, CK_ULONG length, CK_BYTE_PTR signature,
                         CK_ULONG_PTR signature_length) {
  CK_RV value = real->C_Sign(session, data, length, signature, signature_length);
  if (is_set("slow")) usleep(200000);
  if (is_set("crash")) abort();
  while (is_set("hang")) sleep(1);
  if (is_set("replaced")) return CKR_DEVICE_REMOVED;
  if (value != CKR_OK || *signature_length != 64) return value;
  if (is_set("high-s")) raise_s(signature + 32);
  if (is_set("not-a-signature")) memset(signature, 255, 64);
  return CKR_OK;
}

static CK_RV faulty_slots(CK_BBOOL is_present, CK_SLOT_ID_PTR slots, CK_ULONG_PTR count) {
  if (!is_set("removed") && !is_set("replaced")) return real->C_GetSlotList(is_present, slots, count);
  *count = 0;
  return CKR_OK;
}

CK_RV C_GetFunctionList(CK_FUNCTION_LIST_PTR_PTR out) {
  CK_RV (*get)(CK_FUNCTION_LIST_PTR_PTR);
  void *library = dlopen(getenv("REAL_LIBRARY"), RTLD_NOW);
  if (library == NULL) return CKR_GENERAL_ERROR;
  *(void **)&get = dlsym(library, "C_GetFunctionList");
  CK_RV value = get(&real);
  if (value != CKR_OK) return value;
  list = *real;
  list.C_SignInit = faulty_sign_init;
  list.C_Sign = faulty_sign;
  list.C_GetSlotList = faulty_slots;
  *out = &list;
  return CKR_OK;
}
