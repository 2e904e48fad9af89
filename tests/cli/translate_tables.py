"""Small configurations of other systems, with the constructs that real ones have, and their translation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from support.command import thalweg

DIAG_TABLE = """\
my_run
2000 1 1 0 0 0
# files
"ocean_6h", 6, "hours" 1, "days", "time",
'ocean_snap', 3, "hours", 1, "days", "Time"
"ocean_static", -1, "months", 1, "days", "time"
"each%4yr%2mo%2dy%2hr", 6, "hours", 1, "days", "time", 6, "hours"
"days_%4yr_%3dy", 1, "hours", 1, "days", "time", 12, "hours"
 "ocean_model" "temp" "temp", "ocean_6h", "all", mean, "none" 2 # no commas
 "ocean_model", "temp" "temp", "ocean_6h", "all", max, "none", 1
 "ocean_model", "temp", "sst", "ocean_snap" "all", .false., "none", 2,
 "ocean_model", "salt", "salt", "each%4yr%2mo%2dy%2hr", "all", .true., "none", 2
 "ocean_model", "salt", "salt", "days_%4yr_%3dy", "all", .false., "none", 2
 "static", "area", "area", "ocean_static", "all", .false., "none", 2
 "static", "area", "area", "ocean_6h", "all", "none", "none", 2
 "ocean_model", "none", "none", "ocean_6h", "all", "rms", "none", 2
 "ocean_model", "temp", "part", "ocean_6h", "all", "mean", "-80 -80 0 75 -1 -1", 2
"""

DIAG_TABLE_YAML = """\
title: my_run
base_date: 2000 1 1 0 0 0
diag_files:
- file_name: atmos
  freq: 6 hours
  time_units: hours
  unlimdim: records
  module: atm
  reduction: average
  kind: r4
  varlist:
  - var_name: t
    attributes:
    - note: mine
  - var_name: t
    reduction: min
    output_name: tmin
    kind: r8
  - var_name: t
    output_name: part
    zbounds: 2. 3.
  - var_name: t
    output_name: day
    reduction: diurnal4
  global_meta:
  - is_a_file: true
- file_name: each%4yr%2mo%2dy%2hr
  filename_time: end
  freq: 6 hours
  new_file_freq: 6 hours
  time_units: hours
  unlimdim: time
  modules:
  - module: atm
    varlist:
    - var_name: t
      reduction: sum
- file_name: regional
  freq: 6 hours
  time_units: hours
  unlimdim: time
  sub_region:
  - grid_type: latlon
    corner1: 60. 60.
  varlist:
  - module: atm
    var_name: t
    reduction: max
    kind: r4
- file_name: never
  freq: 0 days
  write_file: false
"""

HISTORY = """\
EXPID:  exp1
EXPDSC: "A run"
CONTACT: 'me'
COLLECTIONS: 'inst3'
#            'off'
@HIST_MORE   'tavg6.x'
             'month'
             'days'
::
GRID_LABELS: PC4x2-DC
::
PC4x2-DC.GRID_TYPE: LatLon
  inst3.template:  '%y4%m2%d2_%h2%n2z.nc4' ,
  inst3.format:    'CFIO' ,
  inst3.frequency: 030000 ,
  inst3.duration:  030000 ,
  inst3.mode:      'instantaneous' ,
  inst3.fields:    'T'  , 'DYN' ,
                   'U;V'  , 'DYN', 'uu;vv'
           ::
  tavg6.x.template:  '%y4%m2%d2_%h2%n2z.nc4',
  tavg6.x.format:    'CFIO',
  tavg6.x.descr:     'Means, 6-hourly',
  tavg6.x.mode:      'time-averaged',
  tavg6.x.frequency: 060000,
  tavg6.x.ref_time:  210000,
  tavg6.x.nbits:     10,
  tavg6.x.deflate:   1,
  tavg6.x.levels:    1000 850
  tavg6.x.fields:    'T'  , 'DYN', 't' ,
                     'T'  , 'DYN', 'tmax', 'MAX' ,
                     'U'  , 'DYN', 'uacc', 'ACCUMULATE'
                     '2*U+V' , 'DYN', 'w'
        ::
  month.template: '%y4%m2.nc4',
  month.monthly: 1
  month.mode: 'time-averaged'
  month.timestampStart: .true.
  month.fields: 'T', 'DYN',
   ::
  days.template: '%y4%m2%d2.nc4'
  days.frequency: 060000
  days.duration: 240000
  days.fields: 'T', 'DYN',
   ::
  off.template: '%y4.nc4'
  off.fields: 'T', 'DYN'
  ::
"""

IODEF = """\
<?xml version="1.0"?>
<simulation>
 <context id="xios">
  <variable_definition><variable id="info_level" type="int">10</variable></variable_definition>
 </context>
 <context id="nemo" src="./context.xml"/>
</simulation>
"""

CONTEXT = """\
<context id="nemo">
  <calendar type="NoLeap" time_origin="2000-01-01 00:00:00" timestep="1h"/>
  <variable_definition><variable id="rho0" type="float"> 1026.0 </variable></variable_definition>
  <field_definition src="./field_def.xml"/>
  <file_definition src="./file_def.xml"/>
  <domain_definition src="./domain_def.xml"/>
</context>
"""

FIELD_DEF = """\
<?xml version="1.0"?>
<!-- fields -->
<field_definition level="1" prec="4" operation="average" enabled=".TRUE." default_value="1.e20">
  <field_group id="grid_T" grid_ref="grid_T_2D">
    <field id="sst" long_name="surface temperature" unit="degC"/>
    <field id="sst2" field_ref="sst" long_name="its square"> sst * sst </field>
    <field id="sstmax" field_ref="sst" operation="maximum"/>
    <field id="e3t" unit="m"/>
    <field id="sst_e3t" unit="degC m"> sst * e3t </field>
    <field id="sst_zoom" field_ref="sst" grid_ref="zoom"/>
    <field id="deep" field_ref="e3t" level="7"/>
    <field id="off" field_ref="e3t" enabled=".FALSE."/>
    <field id="heat" field_ref="sst" unit="J"> $rho0 * sst / 2 </field>
  </field_group>
</field_definition>
"""

FILE_DEF = """\
<?xml version="1.0"?>
<file_definition type="one_file" name="@expname@_@freq@_@startdate@_@enddate@" sync_freq="1mo" min_digits="4">
  <file_group id="six" output_freq="6h" output_level="5" enabled=".TRUE.">
    <file id="file1" name_suffix="_grid_T" description="T variables">
      <field field_ref="sst" name="tos"/>
      <field field_ref="sst" name="tosmin" operation="minimum" prec="8"/>
      <field field_ref="sst" name="tosstd" long_name="spread" operation="instant"> sqrt( @sst2 - @sst * @sst ) </field>
      <field field_ref="sst" name="so" operation="instant" freq_op="6h"> @sst_e3t / @e3t </field>
      <field field_ref="sst" name="dcy" operation="average" freq_op="3h"> @sstmax - @sst </field>
      <field field_ref="sst2"/>
      <field field_ref="sst" name="snap" operation="instant"/>
      <field field_ref="sst_zoom"/>
      <field field_ref="deep"/>
      <field field_ref="off"/>
      <field field_ref="nothing"/>
      <field field_ref="heat"/>
      <variable name="project" type="string"> mine </variable>
    </file>
    <file id="file2" name_suffix="_split" split_freq="1d" output_freq="12h">
      <field field_ref="sst" operation="accumulate"/>
    </file>
    <file id="file3" name="other" enabled=".FALSE."><field field_ref="sst"/></file>
  </file_group>
</file_definition>
"""

XIOS = {"iodef.xml": IODEF, "context.xml": CONTEXT, "field_def.xml": FIELD_DEF, "file_def.xml": FILE_DEF}

EXACT, APPROXIMATE, WITHOUT = "exact", "approximate", "without counterpart"


def translated(folder: Path, text: str, name: str = "table", *words: object) -> dict[str, Any]:
    """What --json says, with the configuration as a map; thalweg check takes it."""
    (folder / name).write_text(text)
    made = folder / "made.yaml"
    done = thalweg("init", "--from", folder / name, *words, "-o", made, "--force", "--json")
    assert done.code == 0, done
    said: dict[str, Any] = done.json
    assert thalweg("check", made).code == 0, thalweg("check", made).err
    assert said["configuration"] == made.read_text()
    counts = {EXACT: said["exact"], APPROXIMATE: said["approximate"], WITHOUT: said["without_counterpart"]}
    fates = [line["fate"] for line in said["lines"]]
    assert {fate: fates.count(fate) for fate in counts} == counts
    assert f"{len(fates)} lines: {counts[EXACT]} exact, {counts[APPROXIMATE]} approximate" in done.err
    return said | {"yaml": yaml.safe_load(made.read_text())}


def collections(said: dict[str, Any]) -> dict[str, Any]:
    return said["yaml"].get("collections", {})
