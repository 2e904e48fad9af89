#include "loading.hpp"

namespace thalweg::config {
namespace {

class TextVariables : public CleanEnvironment {};

TEST_F(TextVariables, stand_for_their_texts_in_any_value) {
  const Settings settings = load(R"(
collections:
  history:
    file: "${EXPID}/${EXPID}.%Y.nc"
    every: ${HOURS} h
    new-file: 1 year
    attributes: {title: "run ${EXPID}, $5 and {all}"}
variables: {EXPID: control, HOURS: 6}
)");
  const CollectionSettings history = settings.collection("history");
  EXPECT_EQ(history.file, "control/control.%Y.nc");
  EXPECT_EQ(history.every, Interval{.seconds = 6 * 3600.0});
  EXPECT_EQ(history.attributes.at("title"), "run control, $5 and {all}");
}

TEST_F(TextVariables, of_the_environment_prevail) {
  setenv("THALWEG_VARIABLES", "{EXPID: spinup}", 1);
  const std::string yaml = "variables: {EXPID: control, KIND: a}\ncollections: {h: {file: '${EXPID}.${KIND}.nc'}}";
  EXPECT_EQ(load(yaml).collection("h").file, "spinup.a.nc");
}

TEST_F(TextVariables, that_are_not_known_are_errors_of_their_places) {
  EXPECT_EQ(fault("variables: {EXPID: a}\ncollections: {h: {file: '${EXPIR}.nc'}}"),
            "ocean.yaml:2:25: error: '${EXPIR}': below 'variables' nothing says what 'EXPIR' stands for; did you mean "
            "'EXPID'?");
  EXPECT_NE(fault("collections: {h: {file: '${EXPID}.nc'}}").find("nothing says what 'EXPID' stands for"),
            std::string::npos);
  EXPECT_NE(fault("collections: {h: {file: '${EXPID.nc'}}").find("and no '}' ends it"), std::string::npos);
  EXPECT_NE(fault("variables: {A: '${B}', B: c}").find("a variable does not stand for others"), std::string::npos);
  EXPECT_NE(fault("variables: {A: [1]}").find("'A' needs a text"), std::string::npos);
}

TEST_F(TextVariables, are_those_of_the_file_for_what_the_program_says) {
  Settings settings = load("variables: {EXPID: control}");
  add_collection(settings, "restart", "file: '${EXPID}.restart.nc'");
  EXPECT_EQ(settings.collection("restart").file, "control.restart.nc");
}

}  // namespace
}  // namespace thalweg::config
