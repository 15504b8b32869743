/* SoftHSM with faults: while the file named by FAULT_FOLDER/hang exists C_Sign does not return, once it has signed; while
 * FAULT_FOLDER/crash exists it ends the process; FAULT_FOLDER/busy makes C_SignInit return CKR_SESSION_COUNT; with
 * FAULT_FOLDER/removed no slot has a token, and C_SignInit returns CKR_DEVICE_REMOVED. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
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

static CK_RV faulty_sign_init(CK_SESSION_HANDLE session, CK_MECHANISM_PTR mechanism, CK_OBJECT_HANDLE key) {
  if (is_set("busy")) return CKR_SESSION_COUNT;
  if (is_set("removed")) return CKR_DEVICE_REMOVED;
  return real->C_SignInit(session, mechanism, key);
}

static CK_RV faulty_sign(CK_SESSION_HANDLE session, CK_BYTE_PTR data, CK_ULONG length, CK_BYTE_PTR signature,
                         CK_ULONG_PTR signature_length) {
  CK_RV value = real->C_Sign(session, data, length, signature, signature_length);
  if (is_set("crash")) abort();
  while (is_set("hang")) sleep(1);
  return value;
}

static CK_RV faulty_slots(CK_BBOOL is_present, CK_SLOT_ID_PTR slots, CK_ULONG_PTR count) {
  if (!is_set("removed")) return real->C_GetSlotList(is_present, slots, count);
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
