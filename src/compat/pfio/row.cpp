#include "compat/pfio/row.hpp"

#include "compat/pfio/command_line.hpp"
#include "compat/pfio/table.hpp"

namespace thalweg::compat::pfio {

constinit const compat::Row row{
    .description = {.name = "pfio",
                    .note_on_options = "those of NASA's PFIO, such as `--npes_model` and `--nodes_output_server`",
                    .note_on_report = "as PFIO's profiler does",
                    .take_options = take_options},
    .table = profiler_table};

}  // namespace thalweg::compat::pfio
