#include "formats/netcdf4/attribute_types.hpp"

#include <algorithm>

#include "base/types.hpp"

namespace thalweg::formats::netcdf4 {

hid_t native_type(Type type) {
  switch (type) {
    case Type::int8: return H5T_NATIVE_SCHAR;
    case Type::uint8: return H5T_NATIVE_UCHAR;
    case Type::int16: return H5T_NATIVE_SHORT;
    case Type::uint16: return H5T_NATIVE_USHORT;
    case Type::int32: return H5T_NATIVE_INT;
    case Type::uint32: return H5T_NATIVE_UINT;
    case Type::int64: return H5T_NATIVE_LLONG;
    case Type::uint64: return H5T_NATIVE_ULLONG;
    case Type::float32: return H5T_NATIVE_FLOAT;
    case Type::float64: return H5T_NATIVE_DOUBLE;
    case Type::character: break;
  }
  return H5T_C_S1;
}

hid_t attribute_type(const catalog::Attribute& attribute) {
  const hid_t type = H5Tcopy(native_type(attribute.element_type()));
  if (type < 0 || attribute.element_type() != Type::character) return type;
  return H5Tset_size(type, std::max<std::size_t>(1, attribute.bytes().size())) < 0 ? hid_t{-1} : type;
}

hid_t attribute_space(const catalog::Attribute& attribute) {
  if (attribute.bytes().empty()) return H5Screate(H5S_NULL);
  if (attribute.element_type() == Type::character) return H5Screate(H5S_SCALAR);
  const hsize_t count = attribute.bytes().size() / size_of(attribute.element_type());
  return H5Screate_simple(1, &count, nullptr);
}

}  // namespace thalweg::formats::netcdf4
